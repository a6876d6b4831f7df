//! Tests motion along an animation: positions and speeds, root motion, motion trails and the onion skin.

mod onion_skin;
mod positions;
mod root_motion;
mod trail;
