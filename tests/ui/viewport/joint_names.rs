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
            // Find the expected place by comparing with every obstacle. If a gap is a point within rounding, it may count as free or taken.
            let expected = [0.999, 1.001].map(|gap| {
                let free = |rect: &&Rect| PICTURE.contains_rect(**rect) && !obstacles.iter().any(|other| other.expand(gap).intersects(**rect));
                sides.iter().find(free).map(|rect| rect.min)
            });
            let placed = taken.reserve(*at, *size);
            let is_at = |expected: &Option<Pos2>| match (placed, expected) {
                (Some(placed), Some(expected)) => placed.min.distance(*expected) < 0.01,
                (None, None) => true,
                _ => false,
            };
            prop_assert!(expected.iter().any(is_at), "{placed:?}, expected {expected:?}");
            // Two names on a line keep four points apart, so that they do not read as one.
            obstacles.extend(placed.map(|rect| rect.expand2(vec2(3.0, 0.0))));
        }
    }
}
