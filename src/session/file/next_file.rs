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
    /// The view of the file `after`, which takes over its part of `from`, the view of `before`. After a swap, the file plays `animation`.
    /// It ignores the sizes of the models; [`fit_unless_alike`] then fits the camera if necessary.
    pub fn view(self, from: &View, before: &Model, after: &Model, animation: Option<usize>) -> View {
        match self {
            Self::Display => opened(from, after),
            Self::Place => stepped(from, before, after),
            Self::All => swapped(from, before, after, animation),
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
/// animation if the file has one of that name.
pub fn stepped(from: &View, before: &Model, after: &Model) -> View {
    let remapped = remap::remap_view(from.clone(), before, after);
    let animation = match before.existing_animation(from.animation) {
        Some(animation) => namesake(before, after, animation).or_else(|| first_animation(after)),
        // The rest pose stays, unless it was shown because there was no animation.
        None => first_animation(after).filter(|_| before.animations.is_empty()),
    };
    let View { camera, follow, selection, .. } = remapped;
    View { animation, camera, follow, selection, speed: from.speed, repeat: from.repeat, ..opened(from, after) }
}

/// The animation with the same name as an animation of `before`: the n-th one of a name if that was the n-th one, or else the first one.
fn namesake(before: &Model, after: &Model, animation: usize) -> Option<usize> {
    let first = || after.animations.iter().position(|other| other.name == before.animations[animation].name);
    matching::namesake(before, after, animation).or_else(first)
}

/// The view after the compared files were swapped: everything stays whose nodes and animations the file has. The file plays `animation`, as
/// it did while it was compared.
pub fn swapped(from: &View, before: &Model, after: &Model, animation: Option<usize>) -> View {
    View { animation: after.existing_animation(animation), ..remap::remap_view(from.clone(), before, after) }
}

/// Fits the camera to a model, and follows no node, if its height differs much from that of the model before. A camera of the file stays.
pub fn fit_unless_alike(view: &mut View, before: &Bounds, after: &Bounds) {
    if !is_alike(before, after) && !matches!(view.camera, ViewCamera::File(_)) {
        (view.camera, view.follow) = (ViewCamera::Fit, None);
    }
}

/// Returns whether two models have about the same height, so that one camera suits both.
fn is_alike(before: &Bounds, after: &Bounds) -> bool {
    let height = |bounds: &Bounds| bounds.max.y - bounds.min.y;
    let (low, high) = (height(before).min(height(after)), height(before).max(height(after)));
    low > 0.0 && high <= MAX_HEIGHT_RATIO * low
}

/// The first animation, if the model has any.
pub fn first_animation(model: &Model) -> Option<usize> {
    (!model.animations.is_empty()).then_some(0)
}
