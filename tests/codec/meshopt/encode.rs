//! A plain encoder for the three meshopt streams, written from appendix A of the specification. The caller chooses the channel modes. Bit
//! widths and controls are random; they do not make the stream as small as possible.

/// A small random number generator that repeats its sequence for the same seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.roll(256) as u8).collect()
    }
}

/// Encodes `data` as elements of `stride` bytes. `modes` has one byte per channel and is empty in version 0. Bit widths and controls are
/// random.
pub fn attributes(data: &[u8], stride: usize, modes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let version = u8::from(!modes.is_empty());
    let baseline = dice.bytes(stride);
    let mut stream = vec![0xa0 | version];
    let mut before = baseline.clone();
    for block in data.chunks(((8192 / stride) & !15).min(256) * stride) {
        let count = block.len() / stride;
        let mut planes = vec![Vec::new(); stride];
        for element in block.chunks(stride) {
            for channel in 0..stride / 4 {
                let at = channel * 4..channel * 4 + 4;
                let [from, to] = [&before[at.clone()], &element[at]].map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
                let codes = codes(from, to, modes.get(channel).copied().unwrap_or(0)).to_le_bytes();
                codes.iter().enumerate().for_each(|(byte, &code)| planes[channel * 4 + byte].push(code));
            }
            before = element.to_vec();
        }
        let controls: Vec<usize> = planes.iter().map(|plane| allowed(dice.roll(4), 2, 3, plane)).collect();
        if version == 1 {
            stream.extend(controls.chunks(4).map(|four| (four[0] | four[1] << 2 | four[2] << 4 | four[3] << 6) as u8));
        }
        for (plane, &control) in planes.iter().zip(&controls) {
            match (version, control) {
                (0, _) => stream.extend(groups(plane, [0, 2, 4, 8], dice)),
                (_, 0) => stream.extend(groups(plane, [0, 1, 2, 4], dice)),
                (_, 1) => stream.extend(groups(plane, [1, 2, 4, 8], dice)),
                (_, 2) => {}
                _ => stream.extend(&plane[..count]),
            }
        }
    }
    let tail = stride + modes.len();
    stream.resize(stream.len() + (if version == 1 { 24usize } else { 32 }).saturating_sub(tail), 0);
    [stream, baseline, modes.to_vec()].concat()
}

/// Returns `rolled`, or `otherwise` if `rolled` means "all zeros" but a code is not zero.
fn allowed(rolled: usize, zeros: usize, otherwise: usize, codes: &[u8]) -> usize {
    if rolled == zeros && codes.iter().any(|&code| code != 0) { otherwise } else { rolled }
}

fn codes(from: u32, to: u32, mode: u8) -> u32 {
    let zigzag = |from: u32, to: u32, bits: u32| {
        let all = (1u64 << bits) as u32;
        let difference = to.wrapping_sub(from) & all.wrapping_sub(1);
        let doubled = difference << 1 & all.wrapping_sub(1);
        if difference >> (bits - 1) == 1 { !doubled & all.wrapping_sub(1) } else { doubled }
    };
    let parts = |bits: u32| {
        let mask = (1u32 << bits) - 1;
        (0..32).step_by(bits as usize).map(|at| zigzag(from >> at & mask, to >> at & mask, bits) << at).sum()
    };
    match mode & 15 {
        0 => parts(8),
        1 => parts(16),
        _ => (from ^ to).rotate_left(u32::from(mode >> 4)),
    }
}

fn groups(plane: &[u8], widths: [usize; 4], dice: &mut Dice) -> Vec<u8> {
    let (mut headers, mut packed) = (vec![0u8; plane.len().div_ceil(64)], Vec::new());
    for (index, codes) in plane.chunks(16).enumerate() {
        let mut codes = codes.to_vec();
        codes.resize(16, 0);
        let header = if widths[0] == 0 { allowed(dice.roll(4), 0, 3, &codes) } else { dice.roll(4) };
        headers[index / 4] |= (header as u8) << (index % 4 * 2);
        packed.extend(group(&codes, widths[header]));
    }
    [headers, packed].concat()
}

fn group(codes: &[u8], width: usize) -> Vec<u8> {
    if width == 0 || width == 8 {
        return codes[..width * 2].to_vec();
    }
    let all_set = (1u8 << width) - 1;
    let (mut packed, mut following) = (vec![0; width * 2], Vec::new());
    for (i, &code) in codes.iter().enumerate() {
        let bit = i * width % 8;
        let shift = if width == 1 { bit } else { 8 - width - bit };
        packed[i * width / 8] |= code.min(all_set) << shift;
        following.extend((code >= all_set).then_some(code));
    }
    [packed, following].concat()
}

/// Encodes triangles with every index written out.
pub fn triangles(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xe1];
    stream.resize(1 + indices.len() / 3, 0xff);
    let mut last = 0;
    for corners in indices.chunks(3) {
        stream.push(0xff);
        for &index in corners {
            stream.extend(varint(zigzag(i64::from(index) - i64::from(last))));
            last = index;
        }
    }
    [stream, vec![0; 16]].concat()
}

/// Encodes indices as differences. Indices at even positions follow the first baseline, and indices at odd positions the second.
pub fn indices(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xd1];
    let mut last = [0u32; 2];
    for (at, &index) in indices.iter().enumerate() {
        let code = zigzag(i64::from(index) - i64::from(last[at % 2]));
        stream.extend(varint(code << 1 | (at % 2) as u32));
        last[at % 2] = index;
    }
    [stream, vec![0; 4]].concat()
}

fn zigzag(difference: i64) -> u32 {
    (if difference < 0 { -2 * difference - 1 } else { 2 * difference }) as u32
}

fn varint(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
