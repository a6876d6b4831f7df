//! Accessors and buffer views as declared in the JSON (glTF 2.0, 3.6.1 and 3.6.2): whether they fit into the views and buffers that they
//! refer to, alignment, strides, and the length of bounds. No bytes are read.

pub mod data;
pub mod elements;
pub mod usage;

use gltf::json::accessor::ComponentType;
use serde_json::Value;

use crate::numbers::{counted, grouped};

use crate::validate::context::{Accessor, AccessorLayout, ValidationContext, View, component};
use crate::validate::read;

/// Checks all buffer views, then all accessors.
pub fn check(context: &mut ValidationContext) {
    check_views(context);
    for (index, json) in context.list("accessors").iter().enumerate() {
        let pointer = format!("/accessors/{index}");
        let Some(accessor) = context.accessors.get(index).cloned() else { return };
        if json.get("bufferView").is_none() && json.get("byteOffset").is_some() {
            let message = "`byteOffset` is set without a `bufferView`; it is ignored.";
            context.error("UNSATISFIED_DEPENDENCY", &format!("{pointer}/byteOffset"), message);
        }
        // Without a valid type, nothing more can be checked.
        let Some(layout) = accessor.layout else { continue };
        if accessor.normalized && matches!(layout.component, ComponentType::F32 | ComponentType::U32) {
            let message = "Only integers of 8 or 16 bits can be normalized; the values are used as they are.";
            context.error("ACCESSOR_NORMALIZED_INVALID", &format!("{pointer}/normalized"), message);
        }
        if layout.columns().0 > 1 && accessor.offset % 4 != 0 {
            let message = format!("`byteOffset` is {}, but a matrix must begin at a multiple of 4 bytes.", accessor.offset);
            context.error("ACCESSOR_MATRIX_ALIGNMENT", &format!("{pointer}/byteOffset"), message);
        }
        check_bounds(context, json, layout, &pointer);
        if let Some(view) = context.view_of(&accessor) {
            check_fit(context, &accessor, layout, view, &pointer);
        }
        if let Some(sparse) = json.get("sparse") {
            check_sparse(context, sparse, layout, &format!("{pointer}/sparse"));
        }
    }
}

/// Checks strides, and that views lie within their buffers.
fn check_views(context: &mut ValidationContext) {
    for (index, json) in context.list("bufferViews").iter().enumerate() {
        let view = context.views[index];
        let pointer = format!("/bufferViews/{index}");
        if let Some(stride) = view.stride {
            let pointer = format!("{pointer}/byteStride");
            if view.length > 0 && stride > view.length {
                let message = format!("`byteStride` is {stride}, but the view has only {}.", counted(view.length as usize, "byte"));
                context.error("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", &pointer, message);
            }
            if stride % 4 != 0 {
                context.error("VALUE_MULTIPLE_OF", &pointer, format!("`byteStride` is {stride}, which is not a multiple of 4."));
            }
            // 34963 is ELEMENT_ARRAY_BUFFER: the view holds indices.
            if view.target == Some(34963) {
                let message = "A buffer view of indices must not have a byteStride.";
                context.error("BUFFER_VIEW_INVALID_BYTE_STRIDE", &pointer, message);
            }
        }
        let Some(buffer) = view.buffer else { continue };
        let Some(length) = context.list("buffers").get(buffer).and_then(|buffer| read::unsigned(buffer, "byteLength")) else { continue };
        if length == 0 {
            continue;
        }
        let bytes = counted(length as usize, "byte");
        let too_long = |what: &str| format!("The view reaches past the end of buffer {buffer} ({bytes}): its {what} is too large.");
        if view.offset >= length {
            context.error("BUFFER_VIEW_TOO_LONG", &format!("{pointer}/byteOffset"), too_long("byteOffset"));
        } else if json.get("byteLength").is_some() && view.offset.saturating_add(view.length) > length {
            context.error("BUFFER_VIEW_TOO_LONG", &format!("{pointer}/byteLength"), too_long("byteLength"));
        }
    }
}

/// Checks that `min` and `max` have one number per component, and that the component type can represent these numbers.
fn check_bounds(context: &mut ValidationContext, json: &Value, layout: AccessorLayout, pointer: &str) {
    for key in ["min", "max"] {
        let Some(bounds) = json.get(key).and_then(Value::as_array).filter(|bounds| !bounds.is_empty()) else { continue };
        let pointer = format!("{pointer}/{key}");
        let components = layout.components() as usize;
        if bounds.len() != components {
            let message = format!("`{key}` has {} numbers, but elements have {components} components.", bounds.len());
            context.error("ARRAY_LENGTH_NOT_IN_LIST", &pointer, message);
            continue;
        }
        let (min, max) = range(layout.component);
        let fits = |number: f64| layout.component == ComponentType::F32 || (number.fract() == 0.0 && (min..=max).contains(&number));
        if let Some(number) = bounds.iter().filter_map(Value::as_f64).find(|number| !fits(*number)) {
            let message = format!("{number} is not a valid value of the accessor's component type.");
            context.error("INVALID_GL_VALUE", &pointer, message);
        }
    }
}

/// The smallest and the greatest number that a component type can represent.
fn range(component: ComponentType) -> (f64, f64) {
    match component {
        ComponentType::I8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
        ComponentType::U8 => (0.0, f64::from(u8::MAX)),
        ComponentType::I16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
        ComponentType::U16 => (0.0, f64::from(u16::MAX)),
        ComponentType::U32 => (0.0, f64::from(u32::MAX)),
        ComponentType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
    }
}

/// Checks that the elements fit into the view and its stride.
fn check_fit(context: &mut ValidationContext, accessor: &Accessor, layout: AccessorLayout, view: View, pointer: &str) {
    let element = layout.element_length();
    if let Some(stride) = view.stride.filter(|&stride| stride < element) {
        let message = format!("The elements have {element} bytes, but the byteStride of the view is {stride}.");
        context.error("ACCESSOR_SMALL_BYTESTRIDE", pointer, message);
    }
    let length = layout.span(view.stride.unwrap_or(layout.tight_stride()));
    check_range(context, ElementRange { offset: accessor.offset, length, component: layout.component, view }, pointer);
}

/// A range of elements in a view. Lengths and offsets are in bytes.
struct ElementRange {
    offset: u64,
    /// Distance from the beginning of the first element to the end of the last one.
    length: u64,
    component: ComponentType,
    view: View,
}

/// Checks that a range lies within its view, and that its data is aligned to the size of a component (glTF 2.0, 3.6.2.4).
fn check_range(context: &mut ValidationContext, range: ElementRange, pointer: &str) {
    let size = range.component.size() as u64;
    if !range.offset.is_multiple_of(size) {
        let message = format!("`byteOffset` {} is not a multiple of the component size ({size} bytes).", range.offset);
        context.error("ACCESSOR_OFFSET_ALIGNMENT", &format!("{pointer}/byteOffset"), message);
    }
    if !range.offset.saturating_add(range.view.offset).is_multiple_of(size) {
        let total = range.offset.saturating_add(range.view.offset);
        let message =
            format!("The data begins at byte {total} of its buffer, which is not a multiple of the component size ({size} bytes).");
        context.error("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", pointer, message);
    }
    let end = range.offset.saturating_add(range.length);
    let view_bytes = counted(range.view.length as usize, "byte");
    if range.view.length > 0 && range.offset >= range.view.length {
        let message = format!("The data begins at byte {}, but the view has only {view_bytes}.", grouped(range.offset));
        context.error("ACCESSOR_TOO_LONG", &format!("{pointer}/byteOffset"), message);
    } else if range.view.length > 0 && end > range.view.length {
        let message = format!("The data ends at byte {}, but the view has only {view_bytes}.", grouped(end));
        context.error("ACCESSOR_TOO_LONG", pointer, message);
    }
}

/// Checks the indices and values of a sparse accessor: their number, their alignment, and whether they fit into their views.
fn check_sparse(context: &mut ValidationContext, sparse: &Value, layout: AccessorLayout, pointer: &str) {
    let Some(count) = read::unsigned(sparse, "count").filter(|&count| count > 0) else { return };
    if count > layout.count {
        let message = format!("{} elements are replaced, but the accessor has only {}.", grouped(count), grouped(layout.count));
        context.error("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", &format!("{pointer}/count"), message);
    }
    let indices = sparse.get("indices").and_then(|indices| component(read::unsigned(indices, "componentType")?));
    let value_bytes = layout.components() * layout.component.size() as u64;
    // For indices and values: the key, the component type, and the size of an element in bytes.
    let parts =
        [("indices", indices, indices.map_or(0, |component| component.size() as u64)), ("values", Some(layout.component), value_bytes)];
    for (key, component, size) in parts {
        let Some(json) = sparse.get(key) else { continue };
        let Some(view) = read::index(json, "bufferView").and_then(|view| context.views.get(view).copied()) else { continue };
        let pointer = format!("{pointer}/{key}");
        if view.stride.is_some() {
            let message = "A buffer view of sparse data must not have a byteStride.";
            context.error("BUFFER_VIEW_INVALID_BYTE_STRIDE", &format!("{pointer}/bufferView"), message);
        }
        let Some(component) = component else { continue };
        let offset = read::unsigned(json, "byteOffset").unwrap_or(0);
        check_range(context, ElementRange { offset, length: size.saturating_mul(count), component, view }, &pointer);
    }
}
