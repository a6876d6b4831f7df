//! Lists the properties in the active node's `extras`, such as the custom properties of a Blender object.

use egui::{Ui, UiBuilder};

use crate::model::label;
use crate::model::node::{ExtraProperty, NodeIndex};
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::inspector::list_rows;
use crate::ui::widgets::value_rows;

/// Draws a row for each property, and a button that copies all of them.
pub fn extras_ui(ui: &mut Ui, context: &mut Context, node: NodeIndex) {
    let extras = &context.document.model.node(node).extras;
    list_rows::rows_ui(ui, extras.len(), |ui, i, rect| {
        let ExtraProperty { name, json } = &extras[i];
        let name = name.as_deref().map_or("Value".into(), label::clean);
        value_rows::text_ui(&mut ui.new_child(UiBuilder::new().id_salt(i).max_rect(rect)), &name, &value_text(json));
    });
    value_rows::control_ui(ui, "", |ui| {
        if ui.button("Copy extras").on_hover_text("Copy all properties as JSON").clicked() {
            context.requests.push(Request::CopyText(as_json(extras)));
        }
    });
}

/// A value as text: a string without quotes and escapes, any other value as in the file.
fn value_text(json: &str) -> String {
    let text = serde_json::from_str::<String>(json);
    label::clean(text.as_deref().unwrap_or(json)).into_owned()
}

/// The properties as they are in a glTF file.
fn as_json(extras: &[ExtraProperty]) -> String {
    let named = |name: &str, json: &str| format!("{}: {json}", serde_json::Value::from(name));
    match extras {
        [ExtraProperty { name: None, json }] => json.clone(),
        _ => {
            let properties: Vec<_> = extras.iter().filter_map(|extra| Some(named(extra.name.as_deref()?, &extra.json))).collect();
            format!("{{ {} }}", properties.join(", "))
        }
    }
}
