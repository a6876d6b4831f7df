//! Tests which part of the world a camera shows.

use glam::{DVec2, DVec3, Vec4};
use sinew::camera::{self, Camera, Projection};
use sinew::session::camera::screen::ScreenProjection;

#[test]
fn a_picture_of_any_shape_shows_the_whole_frame_of_a_file_camera_undistorted() {
    let fixed = Projection::Perspective { yfov: 90f64.to_radians(), aspect_ratio: Some(2.0), zfar: None };
    let close = |a: DVec2, x: f64, y: f64| assert!((a - DVec2::new(x, y)).length() < 1e-12, "{a} is not {x}, {y}");
    close(fixed.half_extent(2.0), 2.0, 1.0);
    close(fixed.half_extent(3.0), 3.0, 1.0);
    close(fixed.half_extent(1.0), 2.0, 2.0);
    let free = Projection::Perspective { yfov: 90f64.to_radians(), aspect_ratio: None, zfar: None };
    close(free.half_extent(0.5), 0.5, 1.0);
    let orthographic = Projection::Orthographic { ymag: 3.0, xmag: Some(6.0), depth: 1.0 };
    close(orthographic.half_extent(1.0), 6.0, 6.0);
    close(orthographic.half_extent(4.0), 12.0, 3.0);
}

#[test]
fn the_edge_of_the_extent_is_the_edge_of_clip_space() {
    for projection in [
        Projection::Perspective { yfov: 0.9, aspect_ratio: Some(1.5), zfar: None },
        Projection::Perspective { yfov: 0.9, aspect_ratio: None, zfar: None },
        Projection::Orthographic { ymag: 2.0, xmag: None, depth: 10.0 },
    ] {
        // Far from the origin, where f32 has a precision of a few centimeters. The anchor is near the camera.
        let far = DVec3::new(1e6, 0.0, 0.0);
        let camera = Camera::look_at(far + DVec3::Z * 5.0, far, DVec3::Y, projection, 0.5);
        let half = projection.half_extent(1.25);
        let distance = 5.0;
        let reach = if matches!(projection, Projection::Perspective { .. }) { half * distance } else { half };
        let clip = camera.clip_from_anchored(far, 1.25) * reach.extend(0.0).as_vec3().extend(1.0);
        let ndc = clip / clip.w;
        assert!((ndc - Vec4::new(1.0, 1.0, ndc.z, 1.0)).length() < 1e-5, "{ndc}");
        assert!(ndc.z > 0.0 && ndc.z < 1.0);
    }
}

#[test]
fn a_perspective_camera_shows_nothing_beyond_the_far_plane() {
    let depth = |zfar: Option<f64>, distance: f32| {
        let projection = Projection::Perspective { yfov: 0.9, aspect_ratio: None, zfar };
        let camera = Camera::look_at(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y, projection, 0.5);
        let clip = camera.clip_from_view(1.25) * Vec4::new(0.0, 0.0, -distance, 1.0);
        let is_shown = ScreenProjection { camera, size: DVec2::ONE }.project(DVec3::Z * -f64::from(distance)).is_some();
        (clip.z / clip.w, is_shown)
    };
    for zfar in [None, Some(8.0)] {
        assert!((depth(zfar, 0.5).0 - 1.0).abs() < 1e-6);
    }
    assert!(depth(Some(8.0), 8.0).0.abs() < 1e-6);
    assert!(depth(Some(8.0), 7.9).0 > 0.0 && depth(Some(8.0), 7.9).1);
    assert!(depth(Some(8.0), 8.1).0 < 0.0 && !depth(Some(8.0), 8.1).1);
    assert!(depth(None, 1e6).0 > 0.0 && depth(None, 1e6).1);
}

#[test]
fn a_viewport_without_an_area_has_the_aspect_ratio_of_a_square() {
    assert_eq!([[300.0, 150.0], [150.0, 300.0]].map(camera::aspect), [2.0, 0.5]);
    assert_eq!([[0.0, 0.0], [300.0, 0.0], [0.0, 300.0], [-1.0, 300.0], [300.0, 0.5]].map(camera::aspect), [1.0; 5]);
}
