//! Defines Ripple's joints: a tree of names and positions. At rest every joint has the world's axes, so animations turn them about x
//! (nod), y (turn) and z (lean).

use glam::{DAffine3, DQuat, DVec3};

pub struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    /// Rest position in model space, in meters.
    pub position: DVec3,
}

/// The offset of a joint from its rest transform.
#[derive(Clone, Copy)]
pub struct Local {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

pub struct Skeleton {
    pub joints: Vec<Joint>,
}

/// Name, parent, position in meters. Joints ending in `.L` are mirrored to `.R`.
const TREE: &[(&str, &str, [f64; 3])] = &[
    ("Root", "", [0.0, 0.0, 0.0]),
    ("Hips", "Root", [0.0, 0.125, -0.004]),
    ("Spine", "Hips", [0.0, 0.165, 0.0]),
    ("Chest", "Spine", [0.0, 0.21, 0.0]),
    ("Neck", "Chest", [0.0, 0.25, -0.002]),
    ("Head", "Neck", [0.0, 0.283, 0.0]),
    ("Jaw", "Head", [0.0, 0.317, 0.02]),
    ("Eye.L", "Head", [0.078, 0.366, 0.064]),
    ("UpperLid.L", "Head", [0.078, 0.366, 0.064]),
    ("LowerLid.L", "Head", [0.078, 0.366, 0.064]),
    ("GillTop.L", "Head", [0.085, 0.4, -0.03]),
    ("GillTopTip.L", "GillTop.L", [0.119, 0.44, -0.05]),
    ("GillMiddle.L", "Head", [0.11, 0.362, -0.035]),
    ("GillMiddleTip.L", "GillMiddle.L", [0.162, 0.376, -0.062]),
    ("GillLow.L", "Head", [0.103, 0.325, -0.03]),
    ("GillLowTip.L", "GillLow.L", [0.147, 0.31, -0.055]),
    ("Clavicle.L", "Chest", [0.03, 0.226, 0.0]),
    ("UpperArm.L", "Clavicle.L", [0.06, 0.228, 0.0]),
    ("Forearm.L", "UpperArm.L", [0.099, 0.193, 0.003]),
    ("Hand.L", "Forearm.L", [0.133, 0.16, 0.014]),
    ("Fingers.L", "Hand.L", [0.15, 0.144, 0.02]),
    ("Thigh.L", "Hips", [0.046, 0.112, 0.002]),
    ("Shin.L", "Thigh.L", [0.056, 0.07, 0.012]),
    ("Foot.L", "Shin.L", [0.058, 0.03, 0.0]),
    ("Toes.L", "Foot.L", [0.061, 0.014, 0.036]),
    ("Tail1", "Hips", [0.0, 0.118, -0.05]),
    ("Tail2", "Tail1", [0.0, 0.098, -0.105]),
    ("Tail3", "Tail2", [0.0, 0.086, -0.16]),
    ("Tail4", "Tail3", [0.0, 0.084, -0.215]),
    ("Tail5", "Tail4", [0.0, 0.094, -0.268]),
    ("Tail6", "Tail5", [0.0, 0.115, -0.317]),
    ("Tail7", "Tail6", [0.0, 0.146, -0.361]),
    ("Tail8", "Tail7", [0.0, 0.184, -0.393]),
];

/// Suffixes of the mirrored joints, with the sign of their x.
pub const SIDES: [(&str, f64); 2] = [("L", 1.0), ("R", -1.0)];

impl Skeleton {
    pub fn new() -> Self {
        let mut skeleton = Self { joints: Vec::new() };
        for (name, parent, [x, y, z]) in TREE {
            let sides = if name.ends_with(".L") { &SIDES[..] } else { &SIDES[..1] };
            for (side, sign) in sides {
                let named =
                    |name: &str| name.strip_suffix('L').filter(|s| s.ends_with('.')).map_or(name.to_owned(), |s| format!("{s}{side}"));
                let parent = (!parent.is_empty()).then(|| skeleton.index(&named(parent)));
                skeleton.joints.push(Joint { name: named(name), parent, position: DVec3::new(sign * x, *y, *z) });
            }
        }
        skeleton
    }

    /// Panics if there is no such joint, which is a mistake in the generator.
    pub fn index(&self, name: &str) -> usize {
        self.joints.iter().position(|joint| joint.name == name).unwrap_or_else(|| panic!("no joint is called {name}"))
    }

    pub fn position(&self, name: &str) -> DVec3 {
        self.joints[self.index(name)].position
    }

    /// Returns the offset from the parent, which is the node's translation.
    pub fn local(&self, joint: usize) -> DVec3 {
        let Joint { parent, position, .. } = &self.joints[joint];
        *position - parent.map_or(DVec3::ZERO, |parent| self.joints[parent].position)
    }

    /// Returns the global transform of every joint in a pose.
    pub fn globals(&self, locals: &[Local]) -> Vec<DAffine3> {
        let mut globals: Vec<DAffine3> = Vec::with_capacity(locals.len());
        for (joint, by) in self.joints.iter().zip(locals) {
            let local = DAffine3::from_scale_rotation_translation(by.scale, by.rotation, self.local(globals.len()) + by.translation);
            let parent = joint.parent.map_or(DAffine3::IDENTITY, |parent| globals[parent]);
            globals.push(parent * local);
        }
        globals
    }
}
