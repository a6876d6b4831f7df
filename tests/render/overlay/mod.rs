//! Tests the overlays: edges, outlines, joints, the heat map and the onion skin.

mod edges_and_joints;
mod heat_map;
mod onion_skin;
mod skeleton;
