//! Decodes a meshopt stream. The first four bytes choose mode, filter, stride and count.
#![no_main]

use floors::codec::meshopt::{self, Filter, StreamLayout, Mode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&[mode, filter, stride, count], stream)) = bytes.split_first_chunk() else { return };
    let modes = [Mode::Attributes, Mode::Triangles, Mode::Indices];
    let filters = [Filter::None, Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Color];
    let layout = StreamLayout {
        mode: modes[usize::from(mode) % modes.len()],
        filter: filters[usize::from(filter) % filters.len()],
        count: u64::from(count) * 3,
        stride: u64::from(stride),
    };
    let _ = meshopt::decode(layout, stream);
});
