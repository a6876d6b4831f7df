//! The statistics section: counts of the file's elements, and the memory that they take on the GPU.

use egui::Ui;

use crate::model::mesh::Primitive;
use crate::numbers::{self, grouped};
use crate::session::document::Document;
use crate::ui::context::Context;
use crate::ui::context::per_document::PerDocument;
use crate::ui::widgets::value_rows;

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
    /// Counts the joints, primitives, vertices, triangles and instances.
    fn new(document: &Document) -> Self {
        let model = &document.model;
        Self {
            joints: document.joint_count(),
            primitives: model.primitives().count(),
            vertices: model.primitives().map(|primitive| primitive.source_vertex_count).sum(),
            triangles: model.primitives().map(Primitive::triangle_count).sum(),
            instances: model.instance_count(),
            drawn_triangles: model.drawn_triangle_count(),
        }
    }
}

/// Draws one row per count, then frame time, memory, graphics adapter, generator and copyright.
pub fn statistics_ui(ui: &mut Ui, counts: &mut PerDocument<Option<Counts>>, context: &Context) {
    let model = &context.document.model;
    let counts = *counts.get(context.document).get_or_insert_with(|| Counts::new(context.document));
    size_ui(ui, context, counts.vertices);
    let numbers = [
        ("Nodes", model.nodes.len()),
        ("Joints", counts.joints),
        ("Meshes", model.meshes.len()),
        ("Primitives", counts.primitives),
        ("Vertices", counts.vertices),
        ("Triangles", counts.triangles),
        ("Materials", model.materials.len()),
        ("Textures", model.asset.textures),
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
    for (purpose, count) in &statistics.memory {
        value_rows::count_ui(ui, purpose, &numbers::bytes(*count));
    }
    if let Some(bytes) = statistics.bytes_per_vertex {
        value_rows::count_ui(ui, "Per vertex", &format!("{bytes:.0} B"));
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

/// Shows the model's size. The checks warn if the unit of the model looks wrong.
fn size_ui(ui: &mut Ui, context: &Context, vertices: usize) {
    if let Some(size) = context.analyses.rest_size.size.filter(|_| vertices > 0) {
        value_rows::count_ui(ui, "Size", &context.preferences.units.sides(size));
    }
}
