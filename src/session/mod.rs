//! Floor 3: what a person chose ([`view::View`]), what time it is ([`transport::Transport`]), and the pose that follows
//! from both ([`posing::pose`]).

pub mod bounds;
pub mod carried;
pub mod carry;
pub mod clip;
pub mod command_line;
pub mod contested;
pub mod crowd;
pub mod curve;
pub mod document;
pub mod eye;
pub mod file_list;
pub mod ground;
pub mod lacking;
pub mod lane;
pub mod layer;
pub mod mixing;
pub mod navigate;
pub mod pick;
pub mod picture_name;
pub mod placed;
pub mod playlist;
pub mod posing;
pub mod probe;
pub mod reload;
pub mod select;
pub mod selection;
pub mod sight;
pub mod switches;
pub mod transport;
pub mod turntable;
pub mod undo;
pub mod view;
pub mod weight_faults;
pub mod weights;
