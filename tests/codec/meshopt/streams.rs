//! Tests the three bitstreams, and which streams are refused.

use sinew::codec::meshopt::{Filter, MeshoptError, Mode, StreamLayout, decode};

use super::encode::{self, Dice};

fn layout(mode: Mode, count: usize, stride: usize) -> StreamLayout {
    StreamLayout { mode, filter: Filter::None, count: count as u64, stride: stride as u64 }
}

fn decoded_indices(mode: Mode, stream: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let bytes = decode(layout(mode, count, 4), stream)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect())
}

/// Returns elements whose byte planes have small, large or no differences.
fn elements(count: usize, stride: usize, dice: &mut Dice) -> Vec<u8> {
    let mut data = dice.bytes(stride);
    for i in stride..count * stride {
        let spread = [1, 2, 4, 16, 256][i % stride % 5];
        data.push(data[i - stride].wrapping_add(dice.roll(spread) as u8).wrapping_sub(spread as u8 / 2));
    }
    data
}

#[test]
fn the_specifications_example_of_packed_differences_decodes() {
    let packed = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    let differences = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    // The first byte of sixteen elements of four bytes changes; the other bytes do not.
    let stream = [&[0xa0, 2], &packed[..], &[0; 3], &[0; 28], &[100, 7, 8, 9]].concat();
    let bytes = decode(layout(Mode::Attributes, 16, 4), &stream).unwrap();
    let mut value = 100i32;
    for (element, difference) in bytes.chunks(4).zip(differences) {
        value += difference;
        assert_eq!(element, [value as u8, 7, 8, 9]);
    }
}

#[test]
fn attributes_of_every_stride_and_packing_decode_to_what_was_encoded() {
    let mut dice = Dice(1);
    for stride in (4..=256).step_by(4) {
        for count in [1, 15, 16, 17, 64, 65, 127, 255, 256, 257, 600] {
            let data = elements(count, stride, &mut dice);
            let modes: Vec<u8> = (0..stride / 4).map(|_| [0, 1, 2, 0x52, 0xf2][dice.roll(5)]).collect();
            for modes in [&[][..], &modes] {
                let stream = encode::attributes(&data, stride, modes, &mut dice);
                let decoded = decode(layout(Mode::Attributes, count, stride), &stream);
                assert!(decoded.as_ref() == Ok(&data), "{count} x {stride}, modes {modes:?}: {:?}", decoded.err());
            }
        }
    }
}

#[test]
fn equal_elements_take_the_minimum_size_and_one_byte_less_is_refused() {
    for (version, stride, least) in [(0xa0, 16, 1 + 2 * 16 * 4 + 32), (0xa1, 16, 1 + 2 * 4 + 24), (0xa1, 64, 1 + 4 * 16 + 80)] {
        let mut stream = vec![0; least];
        stream[0] = version;
        if version == 0xa1 {
            // No plane has differences.
            let controls = least - if stride == 16 { 24 } else { 80 };
            stream[1..controls].fill(0b1010_1010);
        }
        let layout = layout(Mode::Attributes, 512, stride);
        assert_eq!(decode(layout, &stream), Ok(vec![0; 512 * stride]));
        let short = decode(layout, &stream[..least - 1]);
        assert_eq!(short, Err(MeshoptError::TooShort { bytes: least as u64 - 1, count: 512, stride: stride as u64 }));
    }
}

#[test]
fn each_triangle_code_decodes_as_the_specification_says() {
    let codes = [0xf0, 0x10, 0x02, 0x0f, 0x0d, 0x0e, 0xfe, 0xff, 0xfe, 0xf1];
    let data = [0x14, 0x1f, 0x05, 0xf0, 0x02, 0xc8, 0x01, 0x00];
    let table = [0x00, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let stream = [&[0xe1], &codes[..], &data, &table].concat();
    let expected = [
        [0, 1, 2],   // three new vertices
        [2, 1, 3],   // the second latest edge, a new vertex
        [2, 3, 1],   // the latest edge, the third latest vertex
        [2, 1, 10],  // the latest edge, a vertex written out: 0 + 10
        [2, 10, 9],  // one less than the last vertex written out
        [2, 9, 10],  // one more than the last vertex written out
        [4, 10, 7],  // a new vertex, the latest vertex, a vertex written out: 10 - 3
        [8, 108, 5], // two vertices written out: 7 + 1 and 8 + 100, a new vertex
        [0, 1, 2],   // new vertices are numbered from 0 again
        [3, 1, 2],   // a new vertex, the second latest vertex, the latest vertex
    ];
    assert_eq!(decoded_indices(Mode::Triangles, &stream, 30), Ok(expected.concat()));
}

#[test]
fn in_version_zero_codes_13_and_14_refer_to_recent_vertices() {
    let stream = [&[0xe0][..], &[0xf0; 5], &[0x0d, 0x0e], &[0; 16]].concat();
    let indices = decoded_indices(Mode::Triangles, &stream, 21).unwrap();
    assert_eq!(indices[..15], (0..15).collect::<Vec<_>>());
    assert_eq!(indices[15..], [12, 14, 1, 12, 1, 0]);
}

#[test]
fn explicit_triangles_decode_to_what_was_encoded() {
    let mut dice = Dice(2);
    for count in [3, 30, 3000] {
        let indices: Vec<u32> = (0..count).map(|_| dice.roll(1 << 20) as u32).collect();
        assert_eq!(decoded_indices(Mode::Triangles, &encode::triangles(&indices), count), Ok(indices));
    }
}

#[test]
fn indices_follow_two_baselines() {
    // Differences from the first baseline: +5 and +1; from the second: +100; from the first: +1; from the second: -1.
    for header in [0xd0, 0xd1] {
        let stream = [header, 20, 4, 0x91, 0x03, 4, 3, 0, 0, 0, 0];
        assert_eq!(decoded_indices(Mode::Indices, &stream, 5), Ok(vec![5, 6, 100, 7, 99]));
    }
    let mut dice = Dice(3);
    let indices: Vec<u32> = (0..5000).map(|_| dice.roll(1 << 28) as u32).collect();
    assert_eq!(decoded_indices(Mode::Indices, &encode::indices(&indices), 5000), Ok(indices));
}

#[test]
fn indices_of_two_bytes_are_the_lower_halves() {
    let stream = encode::indices(&[1, 0x1_0002, 65535]);
    assert_eq!(decode(layout(Mode::Indices, 3, 2), &stream), Ok(vec![1, 0, 2, 0, 255, 255]));
}

#[test]
fn a_broken_stream_is_refused_with_the_reason() {
    let mut dice = Dice(4);
    let data = elements(40, 8, &mut dice);
    let good = encode::attributes(&data, 8, &[0, 1], &mut dice);
    let refusal = |mode, count, stride, stream: &[u8]| decode(layout(mode, count, stride), stream).expect_err("a refusal").to_string();
    let attributes = |stream: &[u8]| refusal(Mode::Attributes, 40, 8, stream);
    assert!(attributes(&[]).contains("ends before"));
    assert!(attributes(&[&[0xa2], &good[1..]].concat()).contains("0xa2 does not begin a stream of mode Attributes"));
    assert!(attributes(&[&good[..1], &[0], &good[1..]].concat()).contains("stream"));
    assert!(attributes(&[&good[..good.len() - 2], &[3, 0]].concat()).contains("channel 0 has the unknown mode 0x03"));
    assert!(attributes(&[&good[..good.len() - 2], &[0, 0x11]].concat()).contains("channel 1 has the unknown mode 0x11"));
    assert!(refusal(Mode::Attributes, 1, 6, &good).contains("elements of 6 bytes"));
    assert!(refusal(Mode::Attributes, 1, 0, &good).contains("elements of 0 bytes"));
    assert!(refusal(Mode::Attributes, 1, 260, &good).contains("elements of 260 bytes"));
    let triangle = encode::triangles(&[0, 1, 2]);
    assert!(refusal(Mode::Triangles, 4, 4, &triangle).contains("not a multiple of 3"));
    assert!(refusal(Mode::Triangles, 3, 1, &triangle).contains("elements of 1 bytes"));
    assert!(refusal(Mode::Triangles, 3, 4, &[&[0xe1, 0x01], &[0; 16][..]].concat()).contains("before the first"));
    assert!(refusal(Mode::Triangles, 3, 4, &[&triangle[..2], &[0], &triangle[2..]].concat()).contains("after its last element"));
    assert!(refusal(Mode::Indices, 2, 4, &[0xd1, 0, 0, 0, 0, 0, 0, 0]).contains("1 bytes after its last element"));
    assert!(refusal(Mode::Indices, 1, 4, &[0xd1, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0]).contains("has more than 5 bytes"));
    let filtered = StreamLayout { filter: Filter::Octahedral, ..layout(Mode::Indices, 1, 4) };
    assert!(matches!(decode(filtered, &[0xd1]), Err(MeshoptError::UnsupportedStride { .. })));
}

#[test]
fn counts_larger_than_a_stream_can_hold_are_refused() {
    for count in [1 << 20, 1 << 40, u64::MAX / 3 * 3] {
        for (mode, header, stride) in
            [(Mode::Attributes, 0xa0, 256), (Mode::Attributes, 0xa1, 4), (Mode::Triangles, 0xe1, 4), (Mode::Indices, 0xd1, 2)]
        {
            let mut stream = vec![0; 4000];
            stream[0] = header;
            let layout = StreamLayout { mode, filter: Filter::None, count: count / 3 * 3, stride };
            assert!(matches!(decode(layout, &stream), Err(MeshoptError::TooShort { bytes: 4000, .. })), "{layout:?}");
        }
    }
}

#[test]
fn mutated_and_truncated_streams_give_bytes_or_an_error() {
    let mut dice = Dice(5);
    let data = elements(300, 12, &mut dice);
    let indices: Vec<u32> = (0..300).map(|_| dice.roll(500) as u32).collect();
    let streams = [
        (layout(Mode::Attributes, 300, 12), encode::attributes(&data, 12, &[], &mut dice)),
        (layout(Mode::Attributes, 300, 12), encode::attributes(&data, 12, &[0, 1, 0x32], &mut dice)),
        (layout(Mode::Triangles, 300, 4), encode::triangles(&indices)),
        (layout(Mode::Indices, 300, 2), encode::indices(&indices)),
    ];
    for (layout, whole) in streams {
        for length in 0..whole.len() {
            assert!(decode(layout, &whole[..length]).is_err(), "{layout:?}: the first {length} bytes");
        }
        let mut ended = [0; 2];
        for _ in 0..10_000 {
            let mut stream = whole.clone();
            for _ in 0..=dice.roll(4) {
                let at = dice.roll(stream.len());
                stream[at] = dice.roll(256) as u8;
            }
            ended[usize::from(decode(layout, &stream).is_ok())] += 1;
        }
        assert!(ended.iter().all(|&count| count > 100), "{layout:?}: {ended:?}");
    }
}
