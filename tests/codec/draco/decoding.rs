//! Tests the Draco decoder without the loader.

use sinew::codec::draco::{Budget, DracoError, DracoMesh, Kind, decode};

use super::encoder::{Attribute, F32, GENERIC, POSITION, Symbols, U8, U16, Values, attribute_bytes, header, mesh, varint};

pub fn decoded(bytes: &[u8]) -> Result<DracoMesh, DracoError> {
    decode(bytes, &mut Budget::for_bytes(bytes.len() as u64))
}

pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Returns the positions of the vertices of a bumpy strip.
fn positions(count: u32) -> Vec<f32> {
    (0..count).flat_map(|vertex| [vertex as f32 * 0.5, (vertex % 7) as f32, (vertex as f32).sin()]).collect()
}

fn strip(vertices: u32) -> Vec<u32> {
    (0..vertices - 2).flat_map(|first| [first, first + 1, first + 2]).collect()
}

#[test]
fn indices_are_read_at_every_width() {
    for vertices in [3, 255, 256, 65_535, 65_536, 70_000] {
        let positions = positions(vertices);
        for compressed in [false, true] {
            let mesh = decoded(&mesh(&strip(vertices), vertices, compressed, &[Attribute::floats(5, 3, &positions)])).unwrap();
            assert_eq!(mesh.vertex_count, vertices as usize);
            assert_eq!(mesh.indices, strip(vertices), "{vertices} {compressed}");
            let [attribute] = &mesh.attributes[..] else { panic!("{} attributes", mesh.attributes.len()) };
            assert_eq!((attribute.unique_id, attribute.components, attribute.kind), (5, 3, Kind::F32));
            assert_eq!(floats(&attribute.bytes), positions);
        }
    }
}

#[test]
fn quantized_floats_decode_within_half_a_step() {
    let count = 500;
    for (symbols, bits) in [(Symbols::Raw, 8), (Symbols::Raw, 14), (Symbols::Tagged, 14), (Symbols::Tagged, 20), (Symbols::Plain, 30)] {
        let values = positions(count);
        let quantized = Values::Quantized { symbols, bits, least: -1.0, range: 300.0, values: values.clone() };
        let attribute = Attribute { meaning: POSITION, kind: F32, components: 3, unique_id: 0, values: quantized };
        let mesh = decoded(&mesh(&strip(count), count, true, &[attribute])).unwrap();
        let half_step = 300.0 / ((1u64 << bits) - 1) as f32 / 2.0;
        for (got, want) in floats(&mesh.attributes[0].bytes).iter().zip(&values) {
            // The steps of f32 itself are 2^-16 at these magnitudes.
            assert!((got - want).abs() <= half_step + 5e-5, "{got} is not {want} in {bits} bits");
        }
    }
}

#[test]
fn integers_keep_their_type() {
    let joints: Vec<i32> = (0..40).map(|number| number * 37 % 256).collect();
    let wide: Vec<i32> = joints.iter().map(|number| number * 250).collect();
    let attributes = [
        Attribute::floats(0, 3, &positions(10)),
        Attribute { meaning: GENERIC, kind: U8, components: 4, unique_id: 7, values: Values::Integers(Symbols::Raw, joints.clone()) },
        Attribute { meaning: GENERIC, kind: U16, components: 4, unique_id: 300, values: Values::Integers(Symbols::Tagged, wide.clone()) },
    ];
    let mesh = decoded(&mesh(&strip(10), 10, false, &attributes)).unwrap();
    assert_eq!(mesh.attributes[1].kind, Kind::U8);
    assert_eq!(mesh.attributes[1].bytes, joints.iter().map(|&joint| joint as u8).collect::<Vec<_>>());
    assert_eq!((mesh.attributes[2].kind, mesh.attributes[2].unique_id), (Kind::U16, 300));
    assert_eq!(mesh.attributes[2].bytes, wide.iter().flat_map(|&number| (number as u16).to_le_bytes()).collect::<Vec<_>>());
}

/// Encodes an edgebreaker mesh from a few symbols, which are in the order of decoding. The mesh has no seams and no splits.
fn edgebreaker(vertices: u64, faces: u64, symbols: &[u8], borders: &[u8], attributes: &[u8]) -> Vec<u8> {
    let mut bytes = header([2, 2], 1, 1);
    bytes.push(0);
    bytes.extend([varint(vertices), varint(faces), vec![0], varint(symbols.len() as u64), vec![0, 0]].concat());
    let (mut word, mut length) = (0u64, 0);
    for &symbol in symbols {
        word |= u64::from(symbol) << length;
        length += if symbol == 0 { 1 } else { 3 };
    }
    let packed = &word.to_le_bytes()[..usize::div_ceil(length, 8)];
    bytes.extend(varint(packed.len() as u64));
    bytes.extend(packed);
    bytes.extend(borders);
    bytes.extend(attributes);
    bytes
}

const C: u8 = 0;
const R: u8 = 5;
const E: u8 = 7;
/// The encoded flag of the only remaining border. It is 0: the border is open. The first byte gives a 1 the probability 1/256. The other
/// two are the length of the data and the data, which sets the state of the coder to 4096 + 5.
const OPEN: [u8; 3] = [255, 1, 5];
/// The same flag with the value 1: the border is a hole of one triangle. Here a 1 has the probability 255/256.
const HOLE: [u8; 3] = [1, 1, 5];

/// Encodes one attribute decoder without seams, in depth-first order, with values that `prediction` predicts.
fn predicted(prediction: u8, corrections: &[i32]) -> Vec<u8> {
    let mut bytes = vec![1, 0xff, 0, 0];
    let unsigned: Vec<u8> = corrections.iter().flat_map(|&number| (number << 1 ^ number >> 31).to_le_bytes()).collect();
    bytes.extend([1, POSITION, 5, 1, 0, 9, 1, prediction, 1, 0, 4]);
    bytes.extend(unsigned);
    bytes.extend([(-1000i32).to_le_bytes(), 1000i32.to_le_bytes()].concat());
    bytes
}

#[test]
fn symbols_become_triangles() {
    // The first triangle has the corners 0, 1 and 2. The second one, on its right edge, has the corners 3, 4 and 5. The corners 0 and 5 are
    // opposite the shared edge.
    let mesh = decoded(&edgebreaker(4, 2, &[E, R], &OPEN, &predicted(0, &[10, 1, 1, 1]))).unwrap();
    assert_eq!(mesh.indices, [0, 1, 2, 2, 1, 3]);
    assert_eq!((mesh.vertex_count, mesh.attributes[0].kind), (4, Kind::I32));
}

#[test]
fn a_fan_and_a_hole_close_a_tetrahedron() {
    // The three symbols are a triangle, its neighbor, and a triangle that closes the fan between them. The fourth triangle fills the hole
    // and has no symbol.
    let mesh = decoded(&edgebreaker(4, 4, &[E, R, C], &HOLE, &predicted(0, &[0, 1, 1, 1]))).unwrap();
    assert_eq!((mesh.indices.len(), mesh.vertex_count), (12, 4));
    // The mesh is closed and consistently oriented: each edge occurs once in each direction.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for triangle in mesh.indices.as_chunks::<3>().0 {
        edges.extend([(triangle[0], triangle[1]), (triangle[1], triangle[2]), (triangle[2], triangle[0])]);
    }
    edges.sort_unstable();
    let mut turned: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (to, from)).collect();
    turned.sort_unstable();
    assert_eq!(edges, turned);
    edges.dedup();
    assert_eq!(edges.len(), 12);
}

#[test]
fn values_follow_the_order_of_the_traversal_and_the_prediction() {
    // The traversal of the triangles [0, 1, 2] and [2, 1, 3] begins at corner 0. The vertices of the next and the previous corner come
    // first: 1, 2, 0, 3.
    let in_order =
        |mesh: DracoMesh| -> Vec<i32> { mesh.attributes[0].bytes.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect() };
    let by_difference = decoded(&edgebreaker(4, 2, &[E, R], &OPEN, &predicted(0, &[10, 1, 100, -3]))).unwrap();
    assert_eq!(in_order(by_difference), [111, 10, 11, 108]);
    // The prediction for vertex 3 is 10 + 11 - 111.
    let by_parallelogram = decoded(&edgebreaker(4, 2, &[E, R], &OPEN, &predicted(1, &[10, 1, 100, -3]))).unwrap();
    assert_eq!(in_order(by_parallelogram), [111, 10, 11, 10 + 11 - 111 - 3]);
}

#[test]
fn values_wrap_around_their_range() {
    // Two above 1000 wraps to -1000 + 1, because the range has 2001 values.
    let mesh = decoded(&edgebreaker(4, 2, &[E, R], &OPEN, &predicted(0, &[1000, 2, 0, 0]))).unwrap();
    assert_eq!(mesh.attributes[0].bytes[8..12], (-999i32).to_le_bytes());
}

#[test]
fn point_clouds_and_other_versions_are_refused() {
    let refusal = |bytes: &[u8]| decoded(bytes).unwrap_err().to_string();
    assert_eq!(refusal(b"GLTF"), "does not begin with DRACO");
    assert_eq!(refusal(&header([2, 3], 0, 0)), "contains a point cloud, not triangles");
    assert_eq!(refusal(&header([1, 3], 1, 1)), "has version 1.3; only 2.0 to 2.2 are supported");
    assert_eq!(refusal(&header([2, 2], 1, 9)), "has the unknown value 9 for the coding of the mesh");
    assert_eq!(refusal(&header([2, 2], 1, 0)), "ends within the triangles");
}

#[test]
fn older_versions_have_counts_of_fixed_size() {
    let positions = positions(3);
    let plain = mesh(&[0, 1, 2], 3, false, &[Attribute::floats(0, 3, &positions)]);
    for minor in [0, 1] {
        let mut bytes = header([2, minor], 1, 0);
        bytes.extend([1u32, 3].map(u32::to_le_bytes).concat());
        bytes.extend(&plain[header([2, 2], 1, 0).len() + 2..]);
        let mesh = decoded(&bytes).unwrap();
        assert_eq!((mesh.indices, floats(&mesh.attributes[0].bytes)), (vec![0, 1, 2], positions.clone()), "2.{minor}");
    }
}

#[test]
fn metadata_is_skipped() {
    let plain = mesh(&[0, 1, 2], 3, false, &[Attribute::floats(0, 3, &positions(3))]);
    let mut bytes = plain[..11].to_vec();
    bytes[10] |= 0x80;
    // The metadata of one attribute has the entry `a` with the bytes 1 and 2. The metadata of the file has an empty subtree `t`.
    bytes.extend([1, 0, 1, 1, b'a', 2, 1, 2, 0]);
    bytes.extend([0, 1, 1, b't', 0, 0]);
    bytes.extend(&plain[11..]);
    assert_eq!(decoded(&bytes).unwrap().indices, [0, 1, 2]);
}

#[test]
fn the_encoder_writes_descriptions_and_codings_before_values() {
    // The layout that the encoder produces: descriptions, codings, values, ranges.
    let attributes = attribute_bytes(&[Attribute::floats(1, 1, &[1.0])]);
    assert_eq!(attributes[..7], [1, POSITION, F32, 1, 0, 1, 0]);
}
