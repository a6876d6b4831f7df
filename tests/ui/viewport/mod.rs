//! Tests the viewport: navigation, picking, and the names of joints.

mod joint_names;
mod navigation;
