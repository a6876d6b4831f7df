//! Tests the meshopt codec: streams from our own encoder, streams written by hand from the specification, filters against its formulas in
//! f64, compressed documents against uncompressed ones, and broken streams.

mod documents;
mod encode;
mod filters;
mod streams;
