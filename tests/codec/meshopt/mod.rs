//! Tests the meshopt codec with streams from our own encoder, streams written by hand from the specification, and broken streams. Compares
//! the filters with the specification's formulas in f64, and compressed documents with uncompressed ones.

mod documents;
mod encode;
mod filters;
mod streams;
