//! Computes the camera of a view: fitted to the model, an orbit of the user, or a camera of the file that moves with its node.

use glam::{DAffine3, DMat3, DVec3, Vec3A};

use crate::camera::{Camera, Orbit, Projection};
use crate::model::Model;
use crate::model::camera::Projection as FileProjection;
use crate::model::hierarchy::Trs;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::crowd;
use crate::session::pose::solve::Posed;
use crate::session::view::{View, ViewCamera};

/// The camera to draw with. `aspect` is the picture's width over its height. If the file lacks the camera, the fitted one is used.
pub fn camera(subject: Subject, posed: &Posed, aspect: f64) -> Camera {
    let Subject { document, analyses, view } = subject;
    let bounds = &analyses.crowd_bounds(view);
    let fitted = || fitted(analyses, view, &Orbit::default(), aspect);
    match view.camera {
        ViewCamera::Fit => following(document, view, posed, &fitted()).camera(bounds),
        ViewCamera::Orbit(orbit) => following(document, view, posed, &orbit).camera(bounds),
        ViewCamera::File(index) => file_camera(&document.model, view, posed, index).unwrap_or_else(|| fitted().camera(bounds)),
    }
}

/// An orbit in the direction of `orbit` from which the whole animation is in view, for all members of a crowd.
pub fn fitted(analyses: &Analyses, view: &View, orbit: &Orbit, aspect: f64) -> Orbit {
    let bounds = analyses.crowd_bounds(view);
    if analyses.hull.is_empty() {
        return orbit.fitted(&bounds, aspect);
    }
    let hull = crowd::hull(&analyses.hull, &analyses.bounds, crowd::count(view));
    orbit.fitted_to(hull.into_iter(), bounds.center(), aspect)
}

/// The orbit moved along with the node that the view follows.
pub fn following(document: &Document, view: &View, posed: &Posed, orbit: &Orbit) -> Orbit {
    Orbit { focus: orbit.focus + followed(document, view.follow, posed), ..*orbit }
}

/// The offset of a followed node from its rest position, in meters. `node` is an index of the file. If the file has no such node, the
/// offset is zero.
pub fn followed(document: &Document, node: Option<usize>, posed: &Posed) -> DVec3 {
    let Some(node) = node.and_then(|source| document.model.node_from_source(source)) else { return DVec3::ZERO };
    let by = posed.globals[node.index()].translation - document.compiled.rest_globals[node.index()].translation;
    if by.is_finite() { by } else { DVec3::ZERO }
}

/// A camera of the file at its node. The node's translation and rotation apply; its scale does not (glTF 2.0, 3.10.2).
fn file_camera(model: &Model, view: &View, posed: &Posed, index: usize) -> Option<Camera> {
    let node = camera_node(model, view, index)?;
    let global = posed.globals[node];
    // A camera looks along its own -Z with +Y up (glTF 2.0, 3.10). The axes are made orthonormal again, because the scale of parents may
    // skew them.
    let m = unscaled_axes(model, posed, node);
    let back = m.z_axis.try_normalize().unwrap_or(DVec3::Z);
    let up = (m.y_axis - back * m.y_axis.dot(back)).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
    let world_from_view = DAffine3 { matrix3: DMat3::from_cols(up.cross(back), up, back), translation: global.translation };
    let (projection, znear) = match posed.cameras.get(index)?.projection {
        FileProjection::Perspective { yfov, aspect_ratio, znear, zfar } => {
            // An animation may move the far plane before the near plane.
            let zfar = zfar.filter(|zfar| *zfar > znear).map(f64::from);
            (Projection::Perspective { yfov: yfov.into(), aspect_ratio: aspect_ratio.map(f64::from), zfar }, f64::from(znear))
        }
        FileProjection::Orthographic { xmag, ymag, znear, zfar } => (
            Projection::Orthographic { ymag: ymag.abs().into(), xmag: Some(xmag.abs().into()), depth: f64::from(zfar - znear) },
            f64::from(znear),
        ),
    };
    Some(Camera { view_from_world: world_from_view.inverse(), projection, znear })
}

/// The axes of a node in world space without the node's own scale, which may be negative or zero.
fn unscaled_axes(model: &Model, posed: &Posed, node: usize) -> DMat3 {
    let parent = model.hierarchy.parents[node].map_or(DMat3::IDENTITY, |parent| posed.globals[parent.index()].matrix3);
    parent * Trs { scale: Vec3A::ONE, ..posed.local(model, node) }.to_matrix().matrix3
}

/// The node that carries a camera of the file: the first one in the scene or, if the scene has none, the first one in the file.
pub fn camera_node(model: &Model, view: &View, camera: usize) -> Option<usize> {
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let mut nodes = (0..model.nodes.len()).filter(|&i| model.nodes[i].camera == Some(camera));
    let first = nodes.next()?;
    Some(if in_scene[first] { first } else { nodes.find(|&i| in_scene[i]).unwrap_or(first) })
}
