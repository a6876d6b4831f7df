//! Makes the view of another file from the view of the open one, for a file that the user opens and for the next file of a list.

use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::matching;
use crate::session::view::display::Display;
use crate::session::view::{View, ViewCamera};

use super::remap;

/// Models whose heights differ by at most this factor suit the same camera.
const MAX_HEIGHT_RATIO: f64 = 2.0;

/// The part of a view that another file takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptView {
    /// The display options, for a file that the user opens.
    Display,
    /// Also camera, selection and time, as far as they fit, for the next file of the list.
    Place,
    /// Everything that the file has nodes and animations for, after the compared files were swapped.
    All,
}

impl KeptView {
    /// The view of the file `after`, which takes over its part of `from`, the view of `before`. After a swap, the file plays `animation`. A
    /// free camera stays only if the models are `alike` in size (see [`is_alike`]).
    pub fn view(self, from: &View, before: &Model, after: &Model, animation: Option<usize>, alike: bool) -> View {
        match self {
            Self::Display => opened(from, after),
            Self::Place => stepped(from, before, after, alike),
            Self::All => swapped(from, before, after, animation, alike),
        }
    }
}

/// The view of a file that the user opens. It keeps the cross-fade and the display settings, except for crowd and material variant, and
/// chooses the first animation. All other settings have their defaults, including speed and loop mode.
pub fn opened(from: &View, after: &Model) -> View {
    // A crowd that suits a light model can be far too large for a heavy one, and variants belong to a file.
    let display = Display { crowd: 1, variant: None, ..from.display.clone() };
    View { animation: first_animation(after), cross_fade: from.cross_fade, display, ..View::default() }
}

/// The view of a file that the user steps to. As with [`opened`], but camera, selection, speed and loop mode stay, and so does the
/// animation if the file has one of that name. A free camera stays only if the models are `alike` in size (see [`is_alike`]).
pub fn stepped(from: &View, before: &Model, after: &Model, alike: bool) -> View {
    let remapped = remap::remap_view(from.clone(), before, after);
    let keeps_camera = alike || matches!(remapped.camera, ViewCamera::File(_));
    let (camera, follow) = if keeps_camera { (remapped.camera, remapped.follow) } else { (ViewCamera::Fit, None) };
    let animation = match before.existing_animation(from.animation) {
        Some(animation) => namesake(before, after, animation).or_else(|| first_animation(after)),
        // The rest pose stays, unless it was shown because there was no animation.
        None => first_animation(after).filter(|_| before.animations.is_empty()),
    };
    let selection = remapped.selection;
    View { animation, camera, follow, selection, speed: from.speed, repeat: from.repeat, ..opened(from, after) }
}

/// The animation with the same name as an animation of `before`: the n-th one of a name if that was the n-th one, or else the first one.
fn namesake(before: &Model, after: &Model, animation: usize) -> Option<usize> {
    let first = || after.animations.iter().position(|other| other.name == before.animations[animation].name);
    matching::namesake(before, after, animation).or_else(first)
}

/// The view after the compared files were swapped: everything stays whose nodes and animations the file has. The file plays `animation`, as
/// it did while it was compared. A free camera stays only if the models are `alike` in size.
pub fn swapped(from: &View, before: &Model, after: &Model, animation: Option<usize>, alike: bool) -> View {
    let View { camera, follow, .. } = stepped(from, before, after, alike);
    let remapped = remap::remap_view(from.clone(), before, after);
    View { animation: after.existing_animation(animation), camera, follow, ..remapped }
}

/// Returns whether two models have about the same height, so that one camera suits both.
pub fn is_alike(before: &Bounds, after: &Bounds) -> bool {
    let height = |bounds: &Bounds| bounds.max.y - bounds.min.y;
    let (low, high) = (height(before).min(height(after)), height(before).max(height(after)));
    low > 0.0 && high <= MAX_HEIGHT_RATIO * low
}

/// The first animation, if the model has any.
pub fn first_animation(model: &Model) -> Option<usize> {
    (!model.animations.is_empty()).then_some(0)
}
