//! The meshopt codec: streams made by an encoder of our own, streams written by hand after the specification, filters against
//! its formulas in f64, compressed documents against the same documents plain, and broken streams.

mod documents;
mod encode;
mod filters;
mod streams;
