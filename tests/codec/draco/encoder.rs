//! A tiny Draco encoder for meshes that list their triangles. It is written from the description of the bitstream and shares no code with
//! the decoder.

/// Attribute semantics, as Draco numbers them.
pub const POSITION: u8 = 0;
pub const GENERIC: u8 = 4;

/// Component types, as Draco numbers them.
pub const U8: u8 = 2;
pub const U16: u8 = 4;
pub const F32: u8 = 9;

/// How numbers are encoded as symbols.
#[derive(Clone, Copy)]
pub enum Symbols {
    Raw,
    Tagged,
    /// Uncompressed, four bytes each.
    Plain,
}

pub enum Values {
    Bytes(Vec<u8>),
    /// Integers, encoded as differences from one vertex to the next.
    Integers(Symbols, Vec<i32>),
    /// Floats, quantized to `bits` bits between `least` and `least + range` and then encoded as differences.
    Quantized {
        symbols: Symbols,
        bits: u8,
        least: f32,
        range: f32,
        values: Vec<f32>,
    },
}

pub struct Attribute {
    pub meaning: u8,
    pub kind: u8,
    pub components: u8,
    pub unique_id: u32,
    pub values: Values,
}

impl Attribute {
    pub fn floats(unique_id: u32, components: u8, values: &[f32]) -> Self {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { meaning: POSITION, kind: F32, components, unique_id, values: Values::Bytes(bytes) }
    }
}

pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

pub fn header(version: [u8; 2], geometry: u8, method: u8) -> Vec<u8> {
    [&b"DRACO"[..], &version, &[geometry, method, 0, 0]].concat()
}

/// Encodes a mesh that lists its triangles, with compressed indices or plain ones.
pub fn mesh(indices: &[u32], vertices: u32, compressed: bool, attributes: &[Attribute]) -> Vec<u8> {
    let mut bytes = header([2, 2], 1, 0);
    bytes.extend(varint(indices.len() as u64 / 3));
    bytes.extend(varint(vertices.into()));
    if compressed {
        let mut last = 0;
        let differences = indices.iter().map(|&index| i64::from(index) - std::mem::replace(&mut last, i64::from(index)));
        let folded: Vec<u32> = differences.map(|by| (by.unsigned_abs() as u32) << 1 | u32::from(by < 0)).collect();
        bytes.push(0);
        bytes.extend(symbols(Symbols::Raw, &folded, 1));
    } else {
        bytes.push(1);
        for &index in indices {
            match vertices {
                0..=0xff => bytes.push(index as u8),
                0x100..=0xffff => bytes.extend((index as u16).to_le_bytes()),
                0x1_0000..=0x1f_ffff => bytes.extend(varint(index.into())),
                _ => bytes.extend(index.to_le_bytes()),
            }
        }
    }
    // One attribute decoder decodes all attributes.
    bytes.push(1);
    bytes.extend(attribute_bytes(attributes));
    bytes
}

/// Encodes the descriptions of the attributes, their values, and the parameters that restore the original types.
pub fn attribute_bytes(attributes: &[Attribute]) -> Vec<u8> {
    let mut bytes = varint(attributes.len() as u64);
    for attribute in attributes {
        bytes.extend([attribute.meaning, attribute.kind, attribute.components, 0]);
        bytes.extend(varint(attribute.unique_id.into()));
    }
    bytes.extend(attributes.iter().map(|attribute| match attribute.values {
        Values::Bytes(_) => 0,
        Values::Integers(..) => 1,
        Values::Quantized { .. } => 2,
    }));
    let mut ranges = Vec::new();
    for attribute in attributes {
        let components = attribute.components.into();
        match &attribute.values {
            Values::Bytes(values) => bytes.extend(values),
            Values::Integers(symbols, values) => bytes.extend(differences(*symbols, values, components)),
            Values::Quantized { symbols, bits, least, range, values } => {
                let steps = ((1u64 << bits) - 1) as f32;
                let values: Vec<i32> = values.iter().map(|value| ((value - least) / range * steps).round() as i32).collect();
                bytes.extend(differences(*symbols, &values, components));
                for _ in 0..components {
                    ranges.extend(least.to_le_bytes());
                }
                ranges.extend(range.to_le_bytes());
                ranges.push(*bits);
            }
        }
    }
    bytes.extend(ranges);
    bytes
}

fn differences(coding: Symbols, values: &[i32], components: usize) -> Vec<u8> {
    let (least, most) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
    let folded: Vec<u32> = (0..values.len())
        .map(|at| {
            let before = if at < components { 0i32.clamp(least, most) } else { values[at - components] };
            let by = values[at] - before;
            (by << 1 ^ by >> 31) as u32
        })
        .collect();
    // Difference prediction with wrapping.
    let mut bytes = vec![0, 1];
    // A flag: whether the values are compressed.
    bytes.push(u8::from(!matches!(coding, Symbols::Plain)));
    bytes.extend(symbols(coding, &folded, components));
    bytes.extend([least.to_le_bytes(), most.to_le_bytes()].concat());
    bytes
}

/// Encodes symbols, after the byte that names their coding.
fn symbols(coding: Symbols, values: &[u32], components: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    match coding {
        Symbols::Plain => {
            bytes.push(4);
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        Symbols::Raw => {
            // Symbols of up to 18 bits need 20 bits of precision.
            bytes.extend([1, 18]);
            bytes.extend(rans(values, 20));
        }
        Symbols::Tagged => {
            bytes.push(0);
            // Write at least one bit, as the reference encoder does. The decoder also accepts zero bits.
            let length = |value: &u32| (32 - value.leading_zeros()).max(1);
            let lengths: Vec<u32> = values.chunks(components).map(|values| values.iter().map(length).max().unwrap()).collect();
            bytes.extend(rans(&lengths, 12));
            let (mut position, mut bits) = (0, Vec::new());
            for (values, &length) in values.chunks(components).zip(&lengths) {
                for (value, bit) in values.iter().flat_map(|value| (0..length).map(move |bit| (value, bit))) {
                    if position % 8 == 0 {
                        bits.push(0u8);
                    }
                    *bits.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (position % 8);
                    position += 1;
                }
            }
            bytes.extend(bits);
        }
    }
    bytes
}

/// Encodes a table of probabilities and the symbols that use it.
fn rans(values: &[u32], precision: u32) -> Vec<u8> {
    let kinds = *values.iter().max().unwrap() as usize + 1;
    let mut counts = vec![0u64; kinds];
    for &value in values {
        counts[value as usize] += 1;
    }
    // Each symbol that occurs has a probability of at least one unit. The most frequent one gets the rest.
    let whole = 1u64 << precision;
    let mut parts: Vec<u64> = counts.iter().map(|&count| (count * (whole / 2) / values.len() as u64).max(count.min(1))).collect();
    let most = (0..kinds).max_by_key(|&kind| counts[kind]).unwrap();
    parts[most] += whole - parts.iter().sum::<u64>();

    let mut bytes = varint(kinds as u64);
    let mut kind = 0;
    while kind < kinds {
        let zeros = parts[kind..].iter().take(64).take_while(|&&part| part == 0).count();
        if zeros > 0 {
            bytes.push((zeros as u8 - 1) << 2 | 3);
            kind += zeros;
            continue;
        }
        let part = parts[kind];
        let more = if part < 1 << 6 { 0 } else { 1 + u64::from(part >= 1 << 14) };
        bytes.push((part << 2) as u8 | more as u8);
        bytes.extend((0..more).map(|byte| (part >> (6 + 8 * byte)) as u8));
        kind += 1;
    }
    let before: Vec<u64> = parts.iter().scan(0, |sum, &part| Some(std::mem::replace(sum, *sum + part))).collect();
    let base = whole * 4;
    let (mut state, mut stream) = (base, Vec::new());
    for &value in values.iter().rev() {
        let (part, before) = (parts[value as usize], before[value as usize]);
        while state >= base / whole * 256 * part {
            stream.push(state as u8);
            state /= 256;
        }
        state = state / part * whole + state % part + before;
    }
    // The two highest bits tell how many bytes the state occupies.
    let state = state - base;
    let length = (1..=4).find(|length| state < 1 << (8 * length - 2)).unwrap();
    let state = state | (length - 1) << (8 * length - 2);
    stream.extend(&state.to_le_bytes()[..length as usize]);
    bytes.extend(varint(stream.len() as u64));
    bytes.extend(stream);
    bytes
}
