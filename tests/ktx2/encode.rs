//! KTX2 containers and the bits of BasisLZ, written from their specifications.

/// A file of one level. Fields that matter to no test are 0.
#[derive(Default)]
pub struct Ktx2 {
    /// Vulkan's number of the format.
    pub format: u32,
    pub width: u32,
    pub height: u32,
    pub supercompression: u32,
    /// Of the data format descriptor.
    pub model: u8,
    /// The channel of each sample of the descriptor.
    pub samples: Vec<u8>,
    pub level: Vec<u8>,
    pub global: Vec<u8>,
}

impl Ktx2 {
    pub fn bytes(&self) -> Vec<u8> {
        let mut descriptor = vec![0; 28 + 16 * self.samples.len()];
        let length = descriptor.len() as u32;
        descriptor[..4].copy_from_slice(&length.to_le_bytes());
        descriptor[8..12].copy_from_slice(&(2 | (length - 4) << 16).to_le_bytes());
        descriptor[12] = self.model;
        for (at, &channel) in self.samples.iter().enumerate() {
            descriptor[28 + at * 16 + 3] = channel;
        }
        let global_at = 104 + length;
        let level_at = global_at + self.global.len() as u32;
        let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
        for number in [self.format, 1, self.width, self.height, 0, 0, 1, 1, self.supercompression, 104, length, 0, 0] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [global_at, self.global.len() as u32, level_at, self.level.len() as u32, self.level.len() as u32] {
            bytes.extend(u64::from(number).to_le_bytes());
        }
        [bytes, descriptor, self.global.clone(), self.level.clone()].concat()
    }
}

#[derive(Default)]
pub struct BitWriter {
    bits: Vec<bool>,
}

impl BitWriter {
    /// The lowest bit first.
    pub fn number(&mut self, value: u32, count: u32) {
        self.bits.extend((0..count).map(|bit| value >> bit & 1 == 1));
    }

    /// A Huffman code: the highest bit first.
    pub fn code(&mut self, value: u32, count: u32) {
        self.bits.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.bits.chunks(8).map(|bits| bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | u8::from(bit) << at)).collect()
    }
}

/// A table of 2^`length` symbols whose codes all have `length` bits: the code of a symbol is its value.
pub fn table(bits: &mut BitWriter, length: u32) {
    const ORDER: [u32; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
    bits.number(1 << length, 14);
    bits.number(21, 5);
    // Of the lengths only 0 and this one have a code, of one bit.
    ORDER.iter().for_each(|&code| bits.number(u32::from(code == 0 || code == length), 3));
    (0..1 << length).for_each(|_| bits.code(1, 1));
}
