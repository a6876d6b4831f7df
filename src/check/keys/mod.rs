//! Checks of the keys of animations, without sampling their motion.

pub mod difference;
pub mod morphs;
pub mod redundancy;
pub mod rotation;
pub mod spikes;
pub mod steps;
pub mod times;
