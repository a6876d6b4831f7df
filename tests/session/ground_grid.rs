//! Tests the height of the ground, and the size of its cells.

use glam::DVec3;
use sinew::camera::bounds::Bounds;
use sinew::camera::{Camera, Projection};
use sinew::session::ground_grid;
use sinew::units::Units;

#[test]
fn the_ground_is_at_0_unless_the_model_hangs_far_below_or_above() {
    let of = |low: f64, high: f64| {
        let bounds = Bounds { min: DVec3::new(-1.0, low, -1.0), max: DVec3::new(1.0, high, 1.0) };
        ground_grid::height(&bounds)
    };
    assert_eq!([of(0.0, 2.0), of(-0.1, 2.0), of(1.9, 3.9)], [0.0; 3], "the model stands, sinks in a little, or floats");
    assert_eq!([of(-1.0, 1.0), of(5.0, 7.0)], [-1.0, 5.0]);
    assert_eq!(ground_grid::height(&Bounds::EMPTY), 0.0);
}

#[test]
fn cells_of_the_ground_are_named_by_their_size() {
    for (height, said) in [
        (0.000_03, "1 \u{b5}m"),
        (0.04, "1 cm"),
        (0.15, "1 cm"),
        (1.8, "10 cm"),
        (30.0, "1 m"),
        (200.0, "10 m"),
        (2000.0, "100 m"),
        (20_000.0, "1 km"),
    ] {
        let camera = Camera::look_at(
            DVec3::Z * height,
            DVec3::ZERO,
            DVec3::Y,
            Projection::Orthographic { ymag: height / 2.0, xmag: None, depth: height * 2.0 },
            0.0,
        );
        let bounds = Bounds { min: DVec3::splat(-height / 4.0), max: DVec3::splat(height / 4.0) };
        let cells = ground_grid::cells(&camera, &bounds);
        assert_eq!(Units::default().cell(cells.visible_cell()), said, "{height} m");
        assert!((3.0..31.0).contains(&(height / cells.visible_cell())), "{} cells of {said} in {height} m", height / cells.visible_cell());
    }
}
