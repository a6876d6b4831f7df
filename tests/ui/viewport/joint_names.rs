//! Tests where the names of random joints are placed.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use proptest::prelude::*;
use sinew::captions::joint_names::TakenRects;

const PICTURE: Rect = Rect { min: Pos2 { x: 40.0, y: 30.0 }, max: Pos2 { x: 640.0, y: 430.0 } };

fn joints() -> impl Strategy<Value = Vec<(Pos2, Vec2, bool)>> {
    let joint = (0.0f32..680.0, 0.0f32..460.0, 5.0f32..160.0, 10.0f32..16.0, prop::bool::weighted(0.05));
    prop::collection::vec(joint.prop_map(|(x, y, width, height, selected)| (pos2(x, y), vec2(width, height), selected)), 0..400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn names_are_beside_their_joint_and_do_not_overlap(joints in joints()) {
        let mut taken = TakenRects::new(PICTURE);
        let dot = |at: Pos2| Rect::from_center_size(at, Vec2::splat(10.0));
        let mut obstacles: Vec<Rect> = joints.iter().filter(|joint| joint.2).map(|joint| dot(joint.0)).collect();
        obstacles.iter().for_each(|rect| taken.take(*rect));
        for (at, size, _) in &joints {
            let beside = |left: f32| Rect::from_min_size(pos2(left, at.y - size.y / 2.0), *size);
            let sides = [beside(at.x + 7.0), beside(at.x - 7.0 - size.x)];
            // Find the expected place by comparing with every obstacle.
            let free = |rect: &&Rect| PICTURE.contains_rect(**rect) && !obstacles.iter().any(|other| other.expand(1.0).intersects(**rect));
            let expected = sides.iter().find(free);
            let placed = taken.reserve(*at, *size);
            prop_assert_eq!(placed.is_some(), expected.is_some());
            if let (Some(placed), Some(expected)) = (placed, expected) {
                prop_assert!(placed.min.distance(expected.min) < 0.01);
                obstacles.push(placed);
            }
        }
    }
}
