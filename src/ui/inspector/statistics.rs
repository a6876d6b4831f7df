//! The statistics section: counts of what the file holds, and what it costs on the GPU.

use std::ops::RangeInclusive;

use egui::Ui;

use crate::model::mesh::Primitive;
use crate::numbers::grouped;
use crate::session::document::Document;
use crate::ui::context::Context;
use crate::ui::per_document::PerDocument;
use crate::ui::widgets::value_rows;

use super::performance::bytes;

/// Sizes, in meters, of characters that were probably made in centimeters: 50 cm to 5 m.
const CENTIMETRES: RangeInclusive<f64> = 50.0..=500.0;

/// Counts of a document. They are computed once per document.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    joints: usize,
    primitives: usize,
    vertices: usize,
    triangles: usize,
    instances: usize,
    drawn_triangles: usize,
}

impl Counts {
    /// Counts the joints, primitives, vertices and triangles.
    fn new(document: &Document) -> Self {
        let Document { model, joints, .. } = document;
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        Self {
            joints: joints.iter().filter(|joint| **joint).count(),
            primitives: primitives().count(),
            vertices: primitives().map(|primitive| primitive.source_vertex_count).sum(),
            triangles: primitives().map(Primitive::triangles).sum(),
            instances: model.instances(),
            drawn_triangles: model.drawn_triangles(),
        }
    }
}

/// Draws one row per count, then memory, device and origin.
pub fn statistics_ui(ui: &mut Ui, counts: &mut PerDocument<Option<Counts>>, context: &Context) {
    let model = &context.document.model;
    let counts = *counts.get(context.document).get_or_insert_with(|| Counts::new(context.document));
    size_ui(ui, context, &counts);
    let numbers = [
        ("Nodes", model.nodes.len()),
        ("Joints", counts.joints),
        ("Meshes", model.meshes.len()),
        ("Primitives", counts.primitives),
        ("Vertices", counts.vertices),
        ("Triangles", counts.triangles),
        ("Materials", model.materials.len()),
        ("Textures", model.images.len()),
        ("Animations", model.animations.len()),
    ];
    // These rows appear only for files that use instancing.
    let instanced = [("Instances", counts.instances), ("Triangles drawn", counts.drawn_triangles)];
    let instanced = instanced.into_iter().filter(|_| counts.instances > 0);
    for (label, number) in numbers.into_iter().chain(instanced) {
        value_rows::count_ui(ui, label, &grouped(number));
    }
    let statistics = &context.status.statistics;
    value_rows::count_ui(ui, "Frame time", &format!("{:.1} ms", statistics.frame_ms));
    for (what, count) in &statistics.memory {
        value_rows::count_ui(ui, what, &bytes(*count));
    }
    if let Some(each) = statistics.bytes_per_vertex {
        value_rows::count_ui(ui, "Per vertex", &format!("{each:.0} B"));
    }
    if !statistics.adapter.is_empty() {
        value_rows::text_ui(ui, "Adapter", &statistics.adapter);
    }
    if let Some(generator) = &model.asset.generator {
        value_rows::text_ui(ui, "Generator", generator);
    }
    if let Some(copyright) = &model.asset.copyright {
        value_rows::text_ui(ui, "Copyright", copyright);
    }
}

/// Shows the model's size, and warns if the unit looks wrong: many tools write centimeters where glTF expects meters.
fn size_ui(ui: &mut Ui, context: &Context, &Counts { vertices, joints, .. }: &Counts) {
    let Some(size) = context.analyses.at_rest.size.filter(|_| vertices > 0) else { return };
    value_rows::text_ui(ui, "Size", &context.preferences.units.sides(size));
    if joints > 0 && CENTIMETRES.contains(&size.max_element()) {
        value_rows::empty_ui(ui, "Large for a character. glTF units are metres: if the model is in centimetres, export it at scale 0.01.");
    }
}
