//! Floor 3: what a person chose ([`crate::session::view::View`]), what time it is ([`crate::session::time::transport::Transport`]), and the pose that follows
//! from both ([`crate::session::pose::solve::pose`]).

pub mod bounds;
pub mod camera;
pub mod document;
pub mod file;
pub mod ground_grid;
pub mod inspect;
pub mod locomotion;
pub mod motion;
pub mod pick;
pub mod pose;
pub mod time;
pub mod view;
