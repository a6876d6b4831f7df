//! Node positions sampled over a range of time, and the motion trails made from them.

pub mod cache;
pub mod request;
pub mod sampled;
pub mod trail;
pub mod trail_measures;
