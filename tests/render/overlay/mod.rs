//! What is drawn over the model: edges, outlines, joints, the heat map, the onion skin.

mod edges_and_joints;
mod heat_map;
mod onion_skin;
mod skeleton;
