//! Tests that decoding ends for any data, with a mesh or an error.

use sinew::codec::draco::{Budget, decode};

use super::decoding::decoded;
use super::encoder::{Attribute, F32, POSITION, Symbols, Values, header, mesh, varint};
use crate::common::skip::skip;

/// A small, fast random number generator (xorshift) that repeats its sequence for the same seed.
struct Dice(u64);

impl Dice {
    fn new(seed: usize) -> Self {
        Self((seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

fn fixture() -> Vec<u8> {
    let values: Vec<f32> = (0..60).map(|number| number as f32).collect();
    let quantized = Values::Quantized { symbols: Symbols::Tagged, bits: 10, least: 0.0, range: 60.0, values };
    let positions = Attribute { meaning: POSITION, kind: F32, components: 3, unique_id: 0, values: quantized };
    let indices: Vec<u32> = (0..18).flat_map(|first| [first, first + 1, first + 2]).collect();
    mesh(&indices, 20, true, &[positions])
}

/// Asserts that decoding ends, and that the indices and attributes of a decoded mesh fit its vertices.
fn hold(bytes: &[u8], name: &str) {
    if let Ok(mesh) = decoded(bytes) {
        assert!(mesh.indices.iter().all(|&index| (index as usize) < mesh.vertex_count), "{name}");
        for attribute in &mesh.attributes {
            assert_eq!(attribute.bytes.len(), mesh.vertex_count * attribute.components * attribute.kind.size(), "{name}");
        }
    }
}

fn mutate(bytes: &[u8], count: usize, name: &str) {
    // Any truncation of the data is an error.
    for end in (0..bytes.len()).step_by((bytes.len() / 200).max(1)) {
        assert!(decoded(&bytes[..end]).is_err(), "{name} to byte {end}");
    }
    for seed in 0..count {
        let mut dice = Dice::new(seed);
        let mut bytes = bytes.to_vec();
        for _ in 0..=dice.below(4) {
            // Half of the changes hit the first bytes, which hold the counts.
            let most = if dice.below(2) == 0 { bytes.len().min(100) } else { bytes.len() };
            let at = 5 + dice.below(most - 5);
            bytes[at] = [dice.below(256) as u8, bytes[at] ^ 1 << dice.below(8), 0, 0xff][dice.below(4)];
        }
        hold(&bytes, &format!("{name}, seed {seed}"));
    }
}

#[test]
fn decoding_changed_bytes_does_not_panic() {
    mutate(&fixture(), 4000, "the fixture");
}

#[test]
fn mutated_samples_do_not_panic() {
    let Ok(samples) = std::env::var("SINEW_SAMPLES") else {
        return skip("SINEW_SAMPLES names no folder of sample models");
    };
    for name in ["Fox_draco/Fox_draco.glb", "BoxDraco/0.bin", "DenseSphere_draco_quant/DenseSphere.glb"] {
        let bytes = std::fs::read(format!("{samples}/models/{name}")).unwrap();
        let begin = bytes.windows(5).position(|bytes| bytes == b"DRACO").unwrap();
        let next = bytes[begin + 5..].windows(5).position(|bytes| bytes == b"DRACO");
        let end = next.map_or(bytes.len(), |next| begin + 5 + next);
        // A buffer view may be longer than the data in it.
        let end = (begin + 1..=end).rev().take_while(|&end| decoded(&bytes[begin..end]).is_ok()).last().unwrap();
        mutate(&bytes[begin..end], 300, name);
    }
}

#[test]
fn large_counts_without_data_are_refused() {
    for count in [1 << 16, 1 << 24, u64::from(u32::MAX)] {
        // The counts of triangles and vertices, with plain and with compressed indices.
        for coding in [0, 1] {
            let bytes = [header([2, 2], 1, 0), varint(count), varint(count), vec![coding, 1]].concat();
            assert!(decoded(&bytes).is_err());
        }
        // The counts of an edgebreaker mesh: vertices, triangles, symbols, splits.
        for splits in [0, count] {
            let counts = [varint(count), varint(count), vec![255], varint(count), varint(splits), vec![0; 40]].concat();
            for kind in [0, 1, 2] {
                assert!(decoded(&[&header([2, 2], 1, 1), &[kind][..], &counts].concat()).is_err());
            }
        }
    }
}

#[test]
fn symbols_of_zero_bits_stop_at_the_budget() {
    // The only symbol has probability 1, so a few bytes encode a billion indices.
    let mut bytes = [header([2, 2], 1, 0), varint(400_000_000), varint(400_000_000), vec![0]].concat();
    bytes.extend([1, 1, 1, 0b10, 64, 0, 1, 0]);
    let error = decoded(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("expands to more than "), "{error}");
}

/// Encodes one triangle and `vertices` vertices whose one-byte values are all 0 and take no bits.
fn constant_attribute(vertices: u64) -> Vec<u8> {
    let mut bytes = [header([2, 2], 1, 0), varint(1), varint(vertices), vec![1], vec![0; 12]].concat();
    bytes.extend([1, 1, POSITION, 2, 1, 0, 0, 1]);
    bytes.extend([0xfe, 1, 1, 1, 1, 0b10, 64, 0, 1, 0]);
    bytes
}

#[test]
fn values_of_zero_bits_stop_at_the_budget() {
    let small = decoded(&constant_attribute(3_000_000)).unwrap();
    assert_eq!(small.attributes[0].bytes, [0; 3_000_000]);
    for vertices in [100_000_000, 400_000_000, u64::from(u32::MAX)] {
        let error = decoded(&constant_attribute(vertices)).unwrap_err().to_string();
        assert!(error.starts_with("expands to more than "), "{error}");
    }
}

#[test]
fn seams_count_against_the_budget_before_they_are_read() {
    // Each set of seams copies the corner table. The budget allows a million triangles, but not 255 copies of them.
    let counts = |seams| [varint(600_000), varint(1_000_000), vec![seams], varint(1_000_000), varint(0), vec![0; 40]].concat();
    let error = |seams| decoded(&[&header([2, 2], 1, 1), &[0][..], &counts(seams)].concat()).unwrap_err().to_string();
    assert!(error(0).starts_with("is damaged: "), "{}", error(0));
    assert!(error(255).starts_with("expands to more than "), "{}", error(255));
}

#[test]
fn streams_share_the_budget_whether_they_succeed_or_fail() {
    let whole = constant_attribute(100_000);
    let cut = &whole[..whole.len() - 1];
    for bytes in [&whole, cut] {
        let mut budget = Budget::for_bytes(0);
        let first = (0..10_000).find_map(|_| decode(bytes, &mut budget).err().filter(|error| error.to_string().starts_with("expands")));
        assert!(first.is_some(), "{} bytes", bytes.len());
    }
}
