//! Tests the fitted camera: everything that an animation shows stays in the picture and fills it.

use std::path::Path;
use std::sync::Arc;

use glam::Vec4Swizzles;
use sinew::animation::hierarchy::deform;
use sinew::asset;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

#[test]
fn every_vertex_of_every_animation_is_in_the_fitted_picture() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb");
    let model = Arc::new(asset::load(&path, &asset::LoadOptions::default()).expect("the sample model").model);
    for animation in std::iter::once(None).chain((0..model.animations.len()).map(Some)) {
        let view = View { animation, ..View::default() };
        let document = Document::new(model.clone(), "sample".into(), None);
        let analyses = Analyses::new(&document, &view);
        let subject = Subject { document: &document, analyses: &analyses, view: &view };
        let duration = animation.map_or(0.0, |index| model.animations[index].duration);
        let mut posed = Posed::new(&model);
        let mut furthest = 0f32;
        for sample in 0..=40 {
            solve::solve(&model, &view, duration * f64::from(sample) / 40.0, &mut posed);
            let clip_from_world = view_camera::camera(subject, &posed, 1.5).clip_from_anchored(glam::DVec3::ZERO, 1.5);
            for node in model.node_indices() {
                let Some(mesh) = model.node(node).mesh else { continue };
                for primitive in &model.meshes[mesh].primitives {
                    let all = 0..primitive.vertices.positions.len();
                    for position in deform::positions(&model, node, primitive, &posed.transforms, &posed.pose.weights, all) {
                        let clip = clip_from_world * position.as_vec3().extend(1.0);
                        let place = clip.xy() / clip.w;
                        furthest = furthest.max(place.abs().max_element());
                    }
                }
            }
        }
        assert!(furthest < 1.0, "animation {animation:?} leaves the picture: {furthest}");
        assert!(furthest > 0.7, "animation {animation:?} fills too little of the picture: {furthest}");
    }
}
