//! Tests cameras: what they see, how they are fitted to a model, and what is picked through them.

mod framing;
mod pick;
mod projection;
mod saved_views;
