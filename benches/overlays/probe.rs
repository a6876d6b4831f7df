//! Measures how long it takes to find the vertex at a point of the picture. There are two methods: a ray that is tested against all posed
//! triangles, and the picking pass on the graphics device.

use glam::DVec2;

use sinew::export::picture::picture_options;
use sinew::export::still::tiles;
use sinew::render::actor::Actor;
use sinew::render::device::gpu::Gpu;
use sinew::render::light::punctual;
use sinew::render::model::GpuModel;
use sinew::render::picture::Picture;
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pick::vertex;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::{ROUNDS, SIZE, minimum, timed};

/// Points along each side of a grid over the picture. The measurement uses the first grid point that shows a vertex.
const GRID_SIZE: u32 = 16;

/// Measures both methods and prints a line for each.
pub fn measure(gpu: &Gpu, renderer: &mut Renderer, gpu_model: &GpuModel, document: &Document, view: &View) {
    let analyses = Analyses::new(document, view);
    let mut posed = Posed::with_compiled(&document.model, document.compiled.clone());
    solve::solve(&document.model, view, 0.0, &mut posed);
    let size = DVec2::new(f64::from(SIZE[0]), f64::from(SIZE[1]));
    let camera = view_camera::camera(Subject { document, analyses: &analyses, view }, &posed, size.x / size.y);
    let projection = ScreenProjection { camera, size };
    let Some(point) = points(size).find(|point| vertex::vertex_under(document, view, &posed, &projection, *point).is_some()) else {
        return println!("nothing is visible");
    };
    let by_ray: Vec<f64> =
        (0..ROUNDS).map(|_| timed(|| vertex::vertex_under(document, view, &posed, &projection, point)).0.thread).collect();
    println!("{:<16} {:>10} {:10.2}", "vertex, by ray", "", minimum(by_ray));

    let lights = punctual::placed_lights(&document.model, &posed);
    let plain = Picture::plain(&camera, SIZE, picture_options(&view.display), posed.anchor, analyses.crowd_bounds(view));
    let picture = Picture { lights: &lights, ..plain };
    let actors = [Actor::single(&document.model, gpu_model, &posed, &posed.palette)];
    let mut rgba = vec![0; (SIZE[0] * SIZE[1] * 4) as usize];
    tiles::draw_tiles(gpu, renderer, picture, &actors, &mut rgba, SIZE, None).unwrap();
    let (mut submitting, mut answered) = (Vec::new(), Vec::new());
    // One extra round, because the first round creates the pipelines.
    for _ in 0..=ROUNDS {
        let (whole, submitted) = timed(|| {
            let (submitted, _) = timed(|| renderer.pick(gpu, &picture, &actors, point.as_uvec2().to_array()));
            while renderer.take_picked(gpu).is_none() && renderer.is_picking() {
                std::thread::sleep(std::time::Duration::from_micros(50));
            }
            submitted
        });
        submitting.push(submitted.thread);
        answered.push(whole.wall);
    }
    println!("{:<16} {:10.2} {:10.2}", "vertex, picking", minimum(answered), minimum(submitting));
}

/// Returns the points of the grid in pixels, from the middle outwards.
fn points(size: DVec2) -> impl Iterator<Item = DVec2> {
    let at = |i: u32| (f64::from(i) + 0.5) / f64::from(GRID_SIZE);
    let mut all: Vec<DVec2> = (0..GRID_SIZE * GRID_SIZE).map(|i| DVec2::new(at(i % GRID_SIZE), at(i / GRID_SIZE))).collect();
    all.sort_by(|a, b| a.distance(DVec2::splat(0.5)).total_cmp(&b.distance(DVec2::splat(0.5))));
    all.into_iter().map(move |point| point * size)
}
