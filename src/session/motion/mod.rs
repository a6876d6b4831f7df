//! Node positions sampled over a range of time, and the motion trails made from them.
//!
//! A `request` names nodes and times, `sampled` poses them, and `cache` keeps the result for `trail`, `trail_measures` and others.

pub mod cache;
pub mod request;
pub mod sampled;
pub mod trail;
pub mod trail_measures;
