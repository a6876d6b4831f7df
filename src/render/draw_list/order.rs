//! Puts draws into the order in which they are encoded. Solid draws are sorted by pipeline and page, because binding these costs most, then
//! from front to back, so that near surfaces hide far ones before these are shaded. If there are many solid draws, their distances are
//! divided into layers, and the draws of a layer are sorted by material first.

use std::cmp::Reverse;

use crate::render::pipelines::key::SurfaceKey;

use super::draw::{ActorDraws, Draw};

/// Number of depth layers. With more layers, fewer far surfaces are shaded in vain. With fewer layers, materials are bound less often.
const LAYERS: usize = 8;
/// With fewer solid draws than this, there are no layers.
const MIN_LAYERED_DRAWS: usize = 128;

/// The properties of a solid draw that decide its place in the order.
#[derive(Debug, Clone, Copy)]
struct SolidPlace {
    /// Rank of the pipeline's key among the keys of all solid draws.
    pipeline: u32,
    page: u32,
    actor: u32,
    /// Index among the model's materials.
    material: u32,
    /// The distance, as [`ordered`] integer.
    distance: i32,
}

/// Sorts solid draws, ghosts and blended draws.
pub(super) fn sort(draws: &mut ActorDraws) {
    sort_solid(&mut draws.solid);
    draws.ghosts.sort_by_key(|draw| (draw.actor, draw.page, draw.first));
    draws.blended.sort_by_cached_key(|draw| (Reverse(ordered(draw.distance)), draw.page, draw.actor, draw.first));
}

/// Sorts solid draws. Those with equal keys keep their order.
fn sort_solid(solid: &mut [Draw]) {
    // Comparing keys is slow, so draws are sorted by the ranks of their keys.
    let mut keys: Vec<SurfaceKey> = solid.chunk_by(|a, b| a.key == b.key).map(|run| run[0].key).collect();
    keys.sort_unstable();
    keys.dedup();
    let ends = layer_ends(solid.iter().map(|draw| ordered(draw.distance)).collect());
    solid.sort_by_cached_key(|draw| {
        let place = SolidPlace {
            pipeline: keys.partition_point(|key| *key < draw.key) as u32,
            page: draw.page as u32,
            actor: draw.actor as u32,
            material: draw.material_index as u32,
            distance: ordered(draw.distance),
        };
        place.sort_key(&ends)
    });
}

impl SolidPlace {
    /// Returns the key by which solid draws are sorted: pipeline, page, layer, actor, material and distance, in the bits of one integer,
    /// because integers are compared faster than tuples. `ends` are the [`layer_ends`].
    fn sort_key(self, ends: &[i32]) -> u128 {
        let layer = ends.partition_point(|end| *end <= self.distance) as u8;
        let (actor, material) = if ends.is_empty() { (0, 0) } else { (self.actor, self.material) };
        // Numbers from 65,535 on become equal. Drawing is then slower, but not wrong.
        let [pipeline, page, actor] = [self.pipeline, self.page, actor].map(|n| u128::from(u16::try_from(n).unwrap_or(u16::MAX)));
        // Flipping the sign makes the order of unsigned integers that of signed ones.
        let distance = self.distance.cast_unsigned() ^ (1 << 31);
        pipeline << 104 | page << 88 | u128::from(layer) << 80 | actor << 64 | u128::from(material) << 32 | u128::from(distance)
    }
}

/// Returns the distances that separate the layers, each with about the same number of draws. Draws at the same distance are in the same
/// layer: otherwise, which of two surfaces at the same place is seen would change while the camera moves. Empty for few draws.
fn layer_ends(mut distances: Vec<i32>) -> Vec<i32> {
    if distances.len() < MIN_LAYERED_DRAWS {
        return Vec::new();
    }
    distances.sort_unstable();
    (1..LAYERS).map(|layer| distances[layer * distances.len() / LAYERS]).collect()
}

/// Returns an integer that is ordered as by [`f32::total_cmp`].
fn ordered(number: f32) -> i32 {
    let bits = number.to_bits().cast_signed();
    // Floats store a sign and a magnitude, so a negative number needs its other bits inverted.
    if bits < 0 { bits ^ i32::MAX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pairs of distance and material in the order in which they are drawn. There are ten materials, in no relation to distances.
    /// Some distances are negative.
    fn sorted(count: usize) -> Vec<(i32, u32)> {
        let distance = |i: usize| (i * 37 % count / 2) as i32 - 20;
        let place = |i: usize| SolidPlace { pipeline: 0, page: 0, actor: 0, material: (i % 10) as u32, distance: distance(i) };
        let ends = layer_ends((0..count).map(distance).collect());
        let mut places: Vec<_> = (0..count).map(place).collect();
        places.sort_by_cached_key(|place| place.sort_key(&ends));
        places.iter().map(|place| (place.distance, place.material)).collect()
    }

    #[test]
    fn solid_draws_are_sorted_by_pipeline_page_layer_actor_material_and_distance() {
        let ends = [-5, 100];
        let largest = SolidPlace { pipeline: 70_000, page: 70_000, actor: 70_000, material: u32::MAX, distance: i32::MAX };
        // In each place, a number grows while all less significant numbers become smaller.
        let places = [
            SolidPlace { pipeline: 0, page: 0, actor: 0, material: 0, distance: -6 },
            SolidPlace { pipeline: 0, page: 0, actor: 0, material: u32::MAX, distance: i32::MIN },
            SolidPlace { pipeline: 0, page: 0, actor: 1, material: 0, distance: i32::MIN },
            SolidPlace { pipeline: 0, page: 0, actor: 70_000, material: 0, distance: i32::MIN },
            SolidPlace { pipeline: 0, page: 0, actor: 0, material: 0, distance: -5 },
            SolidPlace { pipeline: 0, page: 0, actor: 0, material: 0, distance: 99 },
            SolidPlace { pipeline: 0, page: 0, actor: 0, material: 0, distance: 100 },
            SolidPlace { pipeline: 0, page: 1, actor: 0, material: 0, distance: i32::MIN },
            SolidPlace { pipeline: 0, page: 70_000, actor: 0, material: 0, distance: i32::MIN },
            SolidPlace { pipeline: 1, page: 0, actor: 0, material: 0, distance: i32::MIN },
            largest,
        ];
        assert!(places.is_sorted_by(|a, b| a.sort_key(&ends) < b.sort_key(&ends)));
    }

    #[test]
    fn few_draws_are_sorted_from_front_to_back() {
        assert!(sorted(100).is_sorted_by_key(|(distance, _)| *distance));
    }

    #[test]
    fn many_draws_are_sorted_by_material_within_layers_of_distance() {
        let sorted = sorted(400);
        // Each layer has a run of draws for each of the ten materials.
        let runs: Vec<_> = sorted.chunk_by(|a, b| a.1 == b.1).collect();
        assert!(runs.len() <= LAYERS * 10, "{} runs", runs.len());
        // All draws of a layer are nearer than those of the next one, also if two draws have the same distance.
        for layers in sorted.chunks(400 / LAYERS).collect::<Vec<_>>().windows(2) {
            let (farthest, nearest) = (layers[0].iter().max().unwrap().0, layers[1].iter().min().unwrap().0);
            assert!(farthest < nearest, "{farthest} {nearest}");
        }
    }
}
