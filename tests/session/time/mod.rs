//! Tests the time: playback, playlists, and the strips of layers.

mod layer_strip;
mod playlist;
mod transport;
