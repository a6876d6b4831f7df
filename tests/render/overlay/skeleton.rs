//! Tests that the skeleton has the same size on the screen for small and large models, with every joint shape.

use std::sync::Arc;

use image::RgbaImage;
use serde_json::json;
use sinew::colors;
use sinew::export::still::options::StillOptions;
use sinew::render::device::gpu::Gpu;
use sinew::render::model::GpuModel;
use sinew::render::picture::{Background, Msaa};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::names::NameStyle;
use sinew::session::view::View;
use sinew::session::view::display::{Display, JointShape};

use crate::common::gltf_builder::skinned_triangle;
use crate::scene::{gpu, still};

/// Draws a triangle on two joints, `height` meters high, with the fitted camera.
fn draw(gpu: &Gpu, height: f64, change: impl FnOnce(&mut Display)) -> RgbaImage {
    draw_view(gpu, height, |view| change(&mut view.display))
}

fn draw_view(gpu: &Gpu, height: f64, change: impl FnOnce(&mut View)) -> RgbaImage {
    let mut gltf = skinned_triangle();
    gltf.json["nodes"][1]["scale"] = json!([height, height, height]);
    let mut view = View { display: Display { grid: false, ..Display::default() }, ..View::default() };
    change(&mut view);
    let document = Document::new(Arc::new(gltf.model()), "triangle".into(), None);
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four);
    let options = StillOptions {
        width: 240,
        height: 180,
        supersample: 1,
        background: Background::Color([0, 0, 0]),
        overlays: true,
        theme: colors::DARK,
        names: NameStyle::Full,
        units: Default::default(),
        pixels_per_point: 1.0,
        camera: None,
    };
    still(
        gpu,
        &mut renderer,
        &gpu_model,
        Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view },
        0.0,
        &options,
    )
    .unwrap()
}

/// Draws the triangle with these nodes selected. `selection` has the indices of the nodes in the file.
fn draw_selected(gpu: &Gpu, selection: &[usize], change: impl FnOnce(&mut Display)) -> RgbaImage {
    draw_view(gpu, 1.0, |view| {
        view.selection = selection.to_vec();
        change(&mut view.display);
    })
}

/// Returns the difference of two pictures: the number of different pixels, and the columns and rows that they span.
fn difference(a: &RgbaImage, b: &RgbaImage) -> [usize; 3] {
    let different: Vec<_> = a.enumerate_pixels().filter(|(x, y, pixel)| *pixel != b.get_pixel(*x, *y)).map(|(x, y, _)| [x, y]).collect();
    let span = |axis: usize| {
        let (low, high) = different.iter().fold((u32::MAX, 0), |(low, high), at| (low.min(at[axis]), high.max(at[axis])));
        (high + 1 - low) as usize
    };
    [different.len(), span(0), span(1)]
}

#[test]
fn joints_have_the_same_screen_size_at_every_model_size() {
    let Some(gpu) = gpu() else { return };
    let shapes = [JointShape::Lines, JointShape::Octahedra, JointShape::Spheres, JointShape::Boxes].map(|shape| (shape, false));
    for (shape, joint_axes) in shapes.into_iter().chain([(JointShape::Octahedra, true)]) {
        let sizes = [0.05, 1.0, 30.0].map(|height| {
            let bare = draw(gpu, height, |_| {});
            let skeleton = draw(gpu, height, |d| (d.skeleton, d.joint_shape, d.joint_axes) = (true, shape, joint_axes));
            difference(&bare, &skeleton)
        });
        let case = format!("{shape:?}, axes {joint_axes}: {sizes:?}");
        for size in sizes {
            assert!((0..3).all(|i| size[i].abs_diff(sizes[1][i]) <= 1 + sizes[1][i] / 50), "{case}");
        }
        let [pixels, _, rows] = sizes[1];
        assert!(rows > 60 && (200..4000).contains(&pixels), "{case}");
    }
}

#[test]
fn x_ray_shows_the_skeleton() {
    let Some(gpu) = gpu() else { return };
    let (bare, seen) = (draw(gpu, 1.0, |_| {}), draw(gpu, 1.0, |d| d.xray = true));
    let joint = |picture: &RgbaImage| picture.pixels().filter(|pixel| pixel.0 == [0xC8, 0xCD, 0xD5, 0xFF]).count();
    assert_eq!(joint(&bare), 0);
    assert!(joint(&seen) > 50, "{}", joint(&seen));
}

#[test]
fn a_selected_joint_is_drawn_while_the_skeleton_is_hidden() {
    let Some(gpu) = gpu() else { return };
    // Node 0 shows the mesh. Nodes 1 and 2 are the joints.
    for joint_shape in [JointShape::Lines, JointShape::Octahedra, JointShape::Spheres, JointShape::Boxes] {
        let none = draw_selected(gpu, &[], |d| d.joint_shape = joint_shape);
        let marked = |selection: &[usize], outline: bool| {
            let picture = draw_selected(gpu, selection, |d| (d.joint_shape, d.outline) = (joint_shape, outline));
            picture.pixels().zip(none.pixels()).filter(|(pixel, other)| pixel != other).count()
        };
        let (one, both) = (marked(&[2], true), marked(&[1, 2], true));
        assert!(one > 50 && both > one, "{joint_shape:?}: {one}, {both}");
        assert_eq!(marked(&[1, 2], false), 0, "{joint_shape:?}");
        let whole = draw_selected(gpu, &[1, 2], |d| (d.joint_shape, d.skeleton) = (joint_shape, true));
        assert_eq!(whole, draw_selected(gpu, &[1, 2], |d| d.joint_shape = joint_shape), "{joint_shape:?}: as in the skeleton");
    }
}
