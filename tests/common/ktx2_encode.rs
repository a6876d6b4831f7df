//! Writes KTX2 files as the KTX 2.0 and BasisLZ specifications define them: with plain levels, ETC1S textures or random ETC1S textures.

/// The content of a KTX2 file. Header fields that matter to no test are written as 0.
#[derive(Default)]
pub struct Ktx2 {
    /// The `vkFormat` number.
    pub format: u32,
    pub width: u32,
    pub height: u32,
    pub supercompression: u32,
    /// The color model in the data format descriptor.
    pub model: u8,
    /// The channel of each sample in the data format descriptor.
    pub samples: Vec<u8>,
    /// The bytes of each mip level, the largest level first.
    pub levels: Vec<Vec<u8>>,
    /// Supercompression global data.
    pub global: Vec<u8>,
}

impl Ktx2 {
    /// Writes the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut descriptor = vec![0; 28 + 16 * self.samples.len()];
        let length = descriptor.len() as u32;
        descriptor[..4].copy_from_slice(&length.to_le_bytes());
        descriptor[8..12].copy_from_slice(&(2 | (length - 4) << 16).to_le_bytes());
        descriptor[12] = self.model;
        for (at, &channel) in self.samples.iter().enumerate() {
            descriptor[28 + at * 16 + 3] = channel;
        }
        let count = self.levels.len() as u32;
        let descriptor_at = 80 + 24 * count;
        let global_at = descriptor_at + length;
        let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
        for number in [self.format, 1, self.width, self.height, 0, 0, 1, count, self.supercompression, descriptor_at, length, 0, 0] {
            bytes.extend(number.to_le_bytes());
        }
        // KTX2 stores the smallest level first.
        let mut level_at = global_at + self.global.len() as u32 + self.levels.iter().map(|level| level.len() as u32).sum::<u32>();
        let mut numbers = vec![global_at, self.global.len() as u32];
        for level in &self.levels {
            level_at -= level.len() as u32;
            numbers.extend([level_at, level.len() as u32, level.len() as u32]);
        }
        bytes.extend(numbers.into_iter().flat_map(|number| u64::from(number).to_le_bytes()));
        let levels: Vec<u8> = self.levels.iter().rev().flatten().copied().collect();
        [bytes, descriptor, self.global.clone(), levels].concat()
    }
}

/// Writes bits into bytes, starting with the lowest bit of each byte.
#[derive(Default)]
pub struct BitWriter {
    bits: Vec<bool>,
}

impl BitWriter {
    /// Appends the lowest `count` bits of `value`, the lowest bit first.
    pub fn number(&mut self, value: u32, count: u32) {
        self.bits.extend((0..count).map(|bit| value >> bit & 1 == 1));
    }

    /// Appends a Huffman code of `count` bits, the highest bit first.
    pub fn code(&mut self, value: u32, count: u32) {
        self.bits.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    }

    /// Returns the bits, padded with zeros to whole bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.bits.chunks(8).map(|bits| bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | u8::from(bit) << at)).collect()
    }
}

/// Writes a Huffman table of 2^`length` symbols whose codes all have `length` bits. The code of a symbol is its value.
pub fn table(bits: &mut BitWriter, length: u32) {
    const ORDER: [u32; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
    bits.number(1 << length, 14);
    bits.number(21, 5);
    // Only code lengths 0 and `length` get a code. Each of the two codes is one bit long.
    ORDER.iter().for_each(|&code| bits.number(u32::from(code == 0 || code == length), 3));
    (0..1 << length).for_each(|_| bits.code(1, 1));
}

/// An ETC1S texture. `endpoints` are (contrast, color with five bits per channel). `selectors` have two bits per pixel, one byte per row.
/// Each slice lists the (endpoint, selector) of its blocks by rows; a second slice is alpha. There are at most 32 endpoints and 32
/// selectors.
pub struct Etc1s<'a> {
    pub width: u32,
    pub height: u32,
    pub endpoints: &'a [(u32, [u32; 3])],
    pub selectors: &'a [[u8; 4]],
    pub slices: &'a [Vec<(usize, usize)>],
}

impl Etc1s<'_> {
    /// Builds the KTX2 file.
    pub fn file(&self) -> Ktx2 {
        let parts = [self.endpoint_codes(), self.selector_codes(), tables()];
        let slices: Vec<Vec<u8>> = self.slices.iter().map(|blocks| self.slice(blocks)).collect();
        let color = slices[0].len() as u32;
        let alpha = slices.get(1).map_or([0; 2], |alpha| [color, alpha.len() as u32]);
        let lengths = [parts[0].len() as u32, parts[1].len() as u32, parts[2].len() as u32, 0];
        let counts = self.endpoints.len() as u32 | (self.selectors.len() as u32) << 16;
        let image = [0, 0, color, alpha[0], alpha[1]];
        let numbers = [counts].into_iter().chain(lengths).chain(image).flat_map(u32::to_le_bytes);
        Ktx2 {
            width: self.width,
            height: self.height,
            model: 163,
            supercompression: 1,
            samples: if slices.len() > 1 { vec![0, 15] } else { vec![0] },
            global: numbers.chain(parts.concat()).collect(),
            levels: vec![slices.concat()],
            ..Ktx2::default()
        }
    }

    /// Encodes each endpoint as its difference from the previous one.
    fn endpoint_codes(&self) -> Vec<u8> {
        let mut bits = BitWriter::default();
        // Three tables for color differences, then one for contrast differences.
        [5, 5, 5, 3].into_iter().for_each(|length| table(&mut bits, length));
        bits.number(0, 1);
        let (mut last_contrast, mut last) = (0, [16; 3]);
        for &(contrast, color) in self.endpoints {
            bits.code(contrast.wrapping_sub(last_contrast) & 7, 3);
            color.iter().zip(last).for_each(|(color, last)| bits.code(color.wrapping_sub(last) & 31, 5));
            (last_contrast, last) = (contrast, color);
        }
        bits.bytes()
    }

    /// Encodes the selectors as raw bytes, without prediction.
    fn selector_codes(&self) -> Vec<u8> {
        let mut bits = BitWriter::default();
        bits.number(0b100, 3);
        self.selectors.iter().flatten().for_each(|&row| bits.number(row.into(), 8));
        bits.bytes()
    }

    /// Encodes the blocks of one slice.
    fn slice(&self, blocks: &[(usize, usize)]) -> Vec<u8> {
        let mut bits = BitWriter::default();
        let columns = self.width.div_ceil(4) as usize;
        let mut last = 0;
        for (at, &(endpoint, selector)) in blocks.iter().enumerate() {
            // Every group of 2 x 2 blocks declares that each of its blocks encodes its own endpoint.
            if [at % columns, at / columns].iter().all(|place| place.is_multiple_of(2)) {
                bits.code(0xff, 9);
            }
            bits.code(((endpoint + self.endpoints.len() - last) % self.endpoints.len()) as u32, 5);
            bits.code(selector as u32, 6);
            last = endpoint;
        }
        bits.bytes()
    }
}

/// Returns the Huffman tables for endpoint predictions, endpoint differences, selectors (symbols from 32 refer to recent ones) and run
/// lengths.
fn tables() -> Vec<u8> {
    let mut bits = BitWriter::default();
    [9, 5, 6, 6].into_iter().for_each(|length| table(&mut bits, length));
    bits.number(4, 13);
    bits.bytes()
}

/// A random number generator that repeats its sequence for the same seed.
pub struct Dice(pub u64);

impl Dice {
    /// Returns the next number, below 2^31.
    pub fn roll(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

/// Builds an ETC1S texture of 64 x 64 pixels with random endpoints and selectors. `contrast` is the largest contrast.
pub fn random_etc1s(alpha: bool, contrast: u32) -> Ktx2 {
    let mut dice = Dice(contrast.into());
    let endpoints: Vec<_> = (0..32).map(|_| (dice.roll() % (contrast + 1), [(); 3].map(|()| dice.roll() % 32))).collect();
    let mut selectors: Vec<[u8; 4]> = (0..28).map(|_| [(); 4].map(|()| (dice.roll() >> 8) as u8)).collect();
    selectors.extend([0x00, 0x55, 0xaa, 0xff].map(|row| [row; 4]));
    let mut slice = || -> Vec<(usize, usize)> { (0..16 * 16).map(|_| (dice.roll() as usize % 32, dice.roll() as usize % 32)).collect() };
    let slices: Vec<_> = (0..if alpha { 2 } else { 1 }).map(|_| slice()).collect();
    Etc1s { width: 64, height: 64, endpoints: &endpoints, selectors: &selectors, slices: &slices }.file()
}
