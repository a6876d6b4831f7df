//! Tests the vertex stage on real files: every skinned sample, at rest and posed by its first three animations, is compared with the naive
//! reference.

use std::path::{Path, PathBuf};

use glam::DVec3;
use sinew::asset::{self, LoadOptions};
use sinew::model::Model;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::reference;
use crate::common::skip::skip;
use crate::geometry::deform::probe;
use crate::scene::gpu;

/// Returns the .glb and .gltf files in the subfolders of `models` and `assetgen`, two folders of `SINEW_SAMPLES`.
fn samples() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("SINEW_SAMPLES") else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return None;
    };
    let mut found = Vec::new();
    for part in ["models", "assetgen"] {
        let groups = std::fs::read_dir(Path::new(&folder).join(part)).unwrap();
        for group in groups.map(|group| group.unwrap().path()).filter(|group| group.is_dir()) {
            let files = std::fs::read_dir(group).unwrap().map(|file| file.unwrap().path());
            found.extend(files.filter(|file| file.extension().is_some_and(|extension| extension == "glb" || extension == "gltf")));
        }
    }
    found.sort();
    Some(found)
}

#[test]
fn every_skinned_sample_is_deformed_like_the_reference() {
    let (Some(gpu), Some(samples)) = (gpu(), samples()) else { return };
    let mut compared = 0;
    for path in samples {
        // Other tests report files that cannot be loaded.
        let Ok(loaded) = asset::load(&path, &LoadOptions::default()) else { continue };
        let model = loaded.model;
        let animations = (0..model.animations.len().min(3)).map(Some).chain([None]);
        for animation in animations {
            let duration = animation.map_or(0.0, |a| model.animations[a].duration);
            compared += assert_deformed(gpu, &path, &model, animation, duration / 3.0);
        }
    }
    assert!(compared > 20_000, "only {compared} vertices were compared");
}

fn assert_deformed(gpu: &sinew::render::device::gpu::Gpu, path: &Path, model: &Model, animation: Option<usize>, time: f64) -> usize {
    let view = View { animation, ..View::default() };
    let mut posed = Posed::new(model);
    solve::solve(model, &view, time, &mut posed);
    let expected = reference::pose(model, animation, time);
    let mut compared = 0;
    for (i, node) in model.nodes.iter().enumerate() {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        for primitive in model.meshes[mesh].primitives.iter().filter(|primitive| primitive.vertices.influences.sets > 0) {
            let palette = &posed.palette[model.skins[skin].matrices.clone()];
            let deformed = probe(gpu, primitive, palette, &posed.pose.weights[node.weights.clone()]);
            // The reference is slow on purpose, so check only some vertices of each primitive.
            let stride = (primitive.vertices.positions.len() / 200).max(1);
            let size = primitive.vertices.positions.iter().map(|position| position.length()).fold(0.0, f32::max);
            for vertex in (0..primitive.vertices.positions.len()).step_by(stride) {
                let wanted = DVec3::from(reference::vertex(model, i, primitive, vertex, &expected));
                let got = deformed[vertex].position.truncate().as_dvec3() + posed.anchor;
                // The error is relative to the vertex's distance from the anchor, or to the scaled size of the mesh if that is larger.
                let scale = (wanted - posed.anchor).length().max(f64::from(size) * largest_scale(palette)).max(1e-9);
                let error = (got - wanted).length() / scale;
                let case = format!("{}, animation {animation:?}, node {}, vertex {vertex}", path.display(), node.source);
                assert!(error < 1e-4, "{case}: {got} is not {wanted}");
                compared += 1;
            }
        }
    }
    compared
}

/// Returns the largest length of a row of any matrix.
fn largest_scale(palette: &[sinew::animation::hierarchy::skinning::JointMatrix]) -> f64 {
    let rows = palette.iter().flat_map(|matrix| matrix.rows);
    rows.map(|row| f64::from(row.truncate().length())).fold(0.0, f64::max)
}
