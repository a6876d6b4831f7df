//! Writes TrueType fonts that show a square for each of their characters.

/// Builds a font with this family name and these characters.
pub fn font(family: &str, characters: &str) -> Vec<u8> {
    let mut characters: Vec<u32> = characters.chars().map(u32::from).collect();
    characters.sort_unstable();
    let glyphs = characters.len() as u16 + 1;
    let square = square();
    // All glyphs are the same, but each one is stored separately.
    let glyf = square.repeat(glyphs.into());
    let loca = (0..=u32::from(glyphs)).flat_map(|glyph| (glyph * square.len() as u32).to_be_bytes()).collect();
    let metrics = (0..glyphs).flat_map(|_| words(&[1000, 0])).collect();
    let tables: [(&[u8; 4], Vec<u8>); 8] = [
        (b"cmap", cmap(&characters)),
        (b"glyf", glyf),
        (b"head", head()),
        (b"hhea", words(&[1, 0, 800, -200, 0, 1000, 0, 0, 800, 1, 0, 0, 0, 0, 0, 0, 0, glyphs as i16])),
        (b"hmtx", metrics),
        (b"loca", loca),
        (b"maxp", words(&[1, 0, glyphs as i16, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
        (b"name", name(family)),
    ];
    let mut file = [0x0001_0000u32.to_be_bytes().to_vec(), words(&[tables.len() as i16, 128, 3, 0])].concat();
    let mut at = file.len() + 16 * tables.len();
    for (tag, table) in &tables {
        file.extend(**tag);
        file.extend([0, at as u32, table.len() as u32].into_iter().flat_map(u32::to_be_bytes));
        at += table.len().next_multiple_of(4);
    }
    for (_, mut table) in tables {
        table.resize(table.len().next_multiple_of(4), 0);
        file.extend(table);
    }
    file
}

fn words(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Builds a glyph of one contour with four points, 600 units wide.
fn square() -> Vec<u8> {
    let outline = words(&[1, 100, 0, 700, 600, 3, 0]);
    let points = words(&[100, 600, 0, -600, 0, 0, 600, 0]);
    let mut glyph = [outline, vec![1; 4], points].concat();
    glyph.resize(glyph.len().next_multiple_of(4), 0);
    glyph
}

fn head() -> Vec<u8> {
    let magic = 0x5F0F_3CF5u32.to_be_bytes();
    let version = words(&[1, 0, 1, 0, 0, 0]);
    let rest = words(&[0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 700, 600, 0, 8, 2, 1, 0]);
    [version, magic.to_vec(), rest].concat()
}

/// Builds a character map of format 12, with a group for each character.
fn cmap(characters: &[u32]) -> Vec<u8> {
    let groups = characters.iter().zip(1u32..).flat_map(|(&char, glyph)| [char, char, glyph]);
    let length = 16 + 12 * characters.len() as u32;
    let subtable = [length, 0, characters.len() as u32].into_iter().chain(groups);
    let table = words(&[0, 1, 3, 10, 0, 12, 12, 0]);
    [table, subtable.flat_map(u32::to_be_bytes).collect()].concat()
}

fn name(family: &str) -> Vec<u8> {
    let text: Vec<u8> = family.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let record = |id| words(&[3, 1, 0x409, id, text.len() as i16, 0]);
    [words(&[0, 2, 6 + 2 * 12]), record(1), record(6), text.clone()].concat()
}
