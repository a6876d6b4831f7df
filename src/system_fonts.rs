//! Finds system fonts for characters that the embedded fonts lack. The search is too slow to run within a frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::FontData;
use fontdb::{Database, FaceInfo, Style, Weight};
use skrifa::{FontRef, MetadataProvider};

/// Maximum number of fonts to load for one set of characters.
const MAX_FONTS: usize = 8;
/// Maximum size of a font file to load, in bytes. A font for Chinese, Japanese and Korean takes about 20 MB.
const MAX_FONT_BYTES: usize = 96 << 20;
/// Names of fonts that have a placeholder glyph for every character. They are a last resort.
const LAST_RESORT_FONTS: [&str; 4] = ["LastResort", "Last Resort", "Adobe Blank", "Unifont"];

/// A loaded system font.
#[derive(Debug, Clone)]
pub struct SystemFont {
    /// Unique name: the family and the index of the face in its file.
    pub name: String,
    /// The font data for egui.
    pub data: Arc<FontData>,
}

/// Lists all system fonts.
pub fn system() -> Database {
    let mut database = Database::new();
    database.load_system_fonts();
    database
}

/// Selects and loads a few fonts that cover as many of the missing characters as possible, the best one first.
pub fn find(database: &Database, missing: &BTreeSet<char>) -> Vec<SystemFont> {
    let mut left = missing.clone();
    let mut faces: Vec<(&FaceInfo, BTreeSet<char>)> = database.faces().map(|face| (face, covered(database, face, missing))).collect();
    let mut found = Vec::new();
    while found.len() < MAX_FONTS {
        faces.retain_mut(|(_, covered)| {
            covered.retain(|char| left.contains(char));
            !covered.is_empty()
        });
        // Each round takes the font that covers the most characters that are still missing. Fonts of last resort come after all others.
        let best = faces.iter().enumerate().min_by_key(|(_, (face, covered))| (is_last(face), usize::MAX - covered.len(), plainness(face)));
        let Some(best) = best.map(|(at, _)| at) else { break };
        let (face, covered) = faces.swap_remove(best);
        if let Some(font) = read(database, face) {
            left.retain(|char| !covered.contains(char));
            found.push(font);
        }
    }
    found
}

/// The wanted characters that an upright face covers. Empty for italic faces.
fn covered(database: &Database, face: &FaceInfo, wanted: &BTreeSet<char>) -> BTreeSet<char> {
    if face.style != Style::Normal {
        return BTreeSet::new();
    }
    let has = |data: &[u8], index: u32| {
        let Ok(font) = FontRef::from_index(data, index) else { return BTreeSet::new() };
        let characters = font.charmap();
        wanted.iter().copied().filter(|&char| characters.map(char).is_some()).collect()
    };
    database.with_face_data(face.id, has).unwrap_or_default()
}

/// Returns whether the face belongs to a font of last resort.
fn is_last(face: &FaceInfo) -> bool {
    LAST_RESORT_FONTS.iter().any(|last| name(face).contains(last))
}

/// Sort key of a face, lowest first: closest to regular weight, then proportional sans serif, then by name.
fn plainness(face: &FaceInfo) -> (u16, bool, String) {
    let name = name(face);
    let is_special = face.monospaced || ["Serif", "Mono", "Mincho", "Ming", "Song"].iter().any(|style| name.contains(style));
    (face.weight.0.abs_diff(Weight::NORMAL.0), is_special, name)
}

/// The family name of a face, or its PostScript name if it has none.
fn name(face: &FaceInfo) -> String {
    face.families.first().map_or_else(|| face.post_script_name.clone(), |(family, _)| family.clone())
}

/// Loads a face. `None` if its file is too large or cannot be read.
fn read(database: &Database, face: &FaceInfo) -> Option<SystemFont> {
    let bytes = |data: &[u8], _: u32| (data.len() <= MAX_FONT_BYTES).then(|| data.to_vec());
    let bytes = database.with_face_data(face.id, bytes)??;
    let data = FontData { index: face.index, ..FontData::from_owned(bytes) };
    Some(SystemFont { name: format!("{} {}", name(face), face.index), data: Arc::new(data) })
}
