//! Lists the overlays of a picture, and switches them in the settings of the display. `--overlay` and copied commands use this list.

use clap::ValueEnum;

use super::display::{Display, HeatMap, JointNames, Shadow};

/// A drawing over or around the model that is switched on and off as a whole. The doc comments are help texts of `--overlay`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Overlay {
    Skeleton,
    Names,
    Grid,
    Axes,
    /// Shadow on the model and on the ground
    Shadow,
    /// Triangle edges
    Wireframe,
    /// Outline of the selected nodes
    Outline,
    /// Skeleton through a translucent mesh
    Xray,
    /// Motion trails of the selected nodes
    Trail,
    /// Onion skin: ghosts of the frames before and after
    Ghosts,
    /// Path of the root on the ground
    Path,
    /// Foot contacts and slide distances
    Contacts,
    /// Skin weights of the selected joints as a heat map, else one color per joint
    Weights,
}

impl Overlay {
    /// Returns whether the overlay is switched on. Names are on if every joint shows its name.
    pub fn is_on(self, display: &Display) -> bool {
        match self {
            Self::Skeleton => display.skeleton,
            Self::Names => display.names == JointNames::All,
            Self::Grid => display.grid,
            Self::Axes => display.axes,
            Self::Shadow => display.shadow != Shadow::Off,
            Self::Wireframe => display.wireframe,
            Self::Outline => display.outline,
            Self::Xray => display.xray,
            Self::Trail => display.trail.shown,
            Self::Ghosts => display.ghosts.shown,
            Self::Path => display.ground_path,
            Self::Contacts => display.contacts,
            Self::Weights => display.heat_map != HeatMap::Off,
        }
    }

    /// Switches the overlay on or off. A heat map of all joints stays one if it is switched on again.
    pub fn set(self, display: &mut Display, on: bool) {
        match self {
            Self::Skeleton => display.skeleton = on,
            Self::Names => display.names = if on { JointNames::All } else { JointNames::None },
            Self::Grid => display.grid = on,
            Self::Axes => display.axes = on,
            Self::Shadow => display.shadow = if on { Shadow::On } else { Shadow::Off },
            Self::Wireframe => display.wireframe = on,
            Self::Outline => display.outline = on,
            Self::Xray => display.xray = on,
            Self::Trail => display.trail.shown = on,
            Self::Ghosts => display.ghosts.shown = on,
            Self::Path => display.ground_path = on,
            Self::Contacts => display.contacts = on,
            Self::Weights if !on => display.heat_map = HeatMap::Off,
            Self::Weights if display.heat_map == HeatMap::Off => display.heat_map = HeatMap::Selection,
            Self::Weights => {}
        }
    }
}

/// The settings of a display without overlays. The shadow counts as part of the model's picture, so it stays.
pub fn without_overlays(display: &Display) -> Display {
    let mut display = display.clone();
    for overlay in Overlay::value_variants().iter().filter(|overlay| **overlay != Overlay::Shadow) {
        overlay.set(&mut display, false);
    }
    display
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_overlay_is_switched_by_itself() {
        let none = Display { shadow: Shadow::Off, ..without_overlays(&Display::default()) };
        for overlay in Overlay::value_variants() {
            let mut display = none.clone();
            overlay.set(&mut display, true);
            let on: Vec<_> = Overlay::value_variants().iter().filter(|other| other.is_on(&display)).collect();
            assert_eq!(on, [overlay]);
            overlay.set(&mut display, false);
            assert_eq!(display, none, "{overlay:?}");
        }
    }
}
