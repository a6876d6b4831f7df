//! Accessors and buffer views by what the document says of them: whether one fits into the other, alignment, strides, bounds of
//! the right length. No bytes are looked at.

use gltf::json::accessor::ComponentType;
use serde_json::Value;

use super::read;
use super::subject::{Accessor, Layout, Subject, View, component};

pub fn check(subject: &mut Subject) {
    check_views(subject);
    for (index, json) in subject.list("accessors").iter().enumerate() {
        let place = format!("/accessors/{index}");
        let Some(accessor) = subject.accessors.get(index).cloned() else { return };
        if json.get("bufferView").is_none() && json.get("byteOffset").is_some() {
            let message = "A byteOffset without a bufferView; it is ignored.";
            subject.error("UNSATISFIED_DEPENDENCY", &format!("{place}/byteOffset"), message);
        }
        let Some(layout) = accessor.layout else { continue };
        if accessor.normalized && matches!(layout.component, ComponentType::F32 | ComponentType::U32) {
            let message = "Only integers of 8 or 16 bits can be normalized; the numbers are used as they are.";
            subject.error("ACCESSOR_NORMALIZED_INVALID", &format!("{place}/normalized"), message);
        }
        if layout.columns().0 > 1 && accessor.offset % 4 != 0 {
            let message = format!("Matrices begin at multiples of 4 bytes; byteOffset is {}.", accessor.offset);
            subject.error("ACCESSOR_MATRIX_ALIGNMENT", &format!("{place}/byteOffset"), message);
        }
        check_bounds(subject, json, layout, &place);
        if let Some(view) = subject.view_of(&accessor) {
            check_fit(subject, &accessor, layout, view, &place);
        }
        if let Some(sparse) = json.get("sparse") {
            check_sparse(subject, sparse, layout, &format!("{place}/sparse"));
        }
    }
}

fn check_views(subject: &mut Subject) {
    for (index, json) in subject.list("bufferViews").iter().enumerate() {
        let view = subject.views[index];
        let place = format!("/bufferViews/{index}");
        if let Some(stride) = view.stride {
            let place = format!("{place}/byteStride");
            if view.length > 0 && stride > view.length {
                let message = format!("byteStride is {stride}, but the view has only {} bytes.", view.length);
                subject.error("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", &place, message);
            }
            if stride % 4 != 0 {
                subject.error("VALUE_MULTIPLE_OF", &place, format!("byteStride is {stride}, which is no multiple of 4."));
            }
            if view.target == Some(34963) {
                let message = "A view of indices has no byteStride.";
                subject.error("BUFFER_VIEW_INVALID_BYTE_STRIDE", &place, message);
            }
        }
        let Some(buffer) = view.buffer else { continue };
        let Some(length) = subject.list("buffers").get(buffer).and_then(|buffer| read::unsigned(buffer, "byteLength")) else { continue };
        let too_long =
            |what: &str| format!("The view reaches past the end of buffer {buffer}, which has {length} bytes: its {what} is too large.");
        if view.offset >= length {
            subject.error("BUFFER_VIEW_TOO_LONG", &format!("{place}/byteOffset"), too_long("byteOffset"));
        } else if json.get("byteLength").is_some() && view.offset.saturating_add(view.length) > length {
            subject.error("BUFFER_VIEW_TOO_LONG", &format!("{place}/byteLength"), too_long("byteLength"));
        }
    }
}

/// Whether min and max have a number for each component, and such as its type can hold.
fn check_bounds(subject: &mut Subject, json: &Value, layout: Layout, place: &str) {
    for key in ["min", "max"] {
        let Some(bounds) = json.get(key).and_then(Value::as_array).filter(|bounds| !bounds.is_empty()) else { continue };
        let place = format!("{place}/{key}");
        let components = layout.components() as usize;
        if bounds.len() != components {
            let message = format!("{key} has {} numbers for elements of {components}.", bounds.len());
            subject.error("ARRAY_LENGTH_NOT_IN_LIST", &place, message);
            continue;
        }
        let (least, most) = range(layout.component);
        let fits = |number: f64| layout.component == ComponentType::F32 || (number.fract() == 0.0 && (least..=most).contains(&number));
        if let Some(number) = bounds.iter().filter_map(Value::as_f64).find(|number| !fits(*number)) {
            let message = format!("{number} is no number that the elements of this accessor can have.");
            subject.error("INVALID_GL_VALUE", &place, message);
        }
    }
}

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

fn check_fit(subject: &mut Subject, accessor: &Accessor, layout: Layout, view: View, place: &str) {
    let element = layout.element_length();
    if let Some(stride) = view.stride.filter(|&stride| stride < element) {
        let message = format!("Its elements have {element} bytes, but its view has one every {stride} bytes.");
        subject.error("ACCESSOR_SMALL_BYTESTRIDE", place, message);
    }
    let length = layout.span(view.stride.unwrap_or(layout.tight_stride()));
    check_part(subject, Part { offset: accessor.offset, length, component: layout.component, view }, place);
}

/// Some elements in a view.
struct Part {
    offset: u64,
    length: u64,
    component: ComponentType,
    view: View,
}

fn check_part(subject: &mut Subject, part: Part, place: &str) {
    let size = part.component.size() as u64;
    if !part.offset.is_multiple_of(size) {
        let message = format!("byteOffset {} is no multiple of the {size} bytes of a component.", part.offset);
        subject.error("ACCESSOR_OFFSET_ALIGNMENT", &format!("{place}/byteOffset"), message);
    }
    if !part.offset.saturating_add(part.view.offset).is_multiple_of(size) {
        let total = part.offset.saturating_add(part.view.offset);
        let message = format!("It begins at byte {total} of its buffer, which is no multiple of the {size} bytes of a component.");
        subject.error("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", place, message);
    }
    let end = part.offset.saturating_add(part.length);
    if part.view.length > 0 && part.offset >= part.view.length {
        let message = format!("It begins at byte {}, but its view has only {} bytes.", part.offset, part.view.length);
        subject.error("ACCESSOR_TOO_LONG", &format!("{place}/byteOffset"), message);
    } else if part.view.length > 0 && end > part.view.length {
        let message = format!("It reaches to byte {end}, but its view has only {} bytes.", part.view.length);
        subject.error("ACCESSOR_TOO_LONG", place, message);
    }
}

fn check_sparse(subject: &mut Subject, sparse: &Value, layout: Layout, place: &str) {
    let Some(count) = read::unsigned(sparse, "count").filter(|&count| count > 0) else { return };
    if count > layout.count {
        let message = format!("{count} elements are replaced, but the accessor has only {}.", layout.count);
        subject.error("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", &format!("{place}/count"), message);
    }
    let indices = sparse.get("indices").and_then(|indices| component(read::unsigned(indices, "componentType")?));
    let of_values = layout.components() * layout.component.size() as u64;
    let parts =
        [("indices", indices, indices.map_or(0, |component| component.size() as u64)), ("values", Some(layout.component), of_values)];
    for (key, component, size) in parts {
        let Some(json) = sparse.get(key) else { continue };
        let Some(view) = read::index(json, "bufferView").and_then(|view| subject.views.get(view).copied()) else { continue };
        let place = format!("{place}/{key}");
        if view.stride.is_some() {
            let message = "The view of sparse data has no byteStride.";
            subject.error("BUFFER_VIEW_INVALID_BYTE_STRIDE", &format!("{place}/bufferView"), message);
        }
        let Some(component) = component else { continue };
        let offset = read::unsigned(json, "byteOffset").unwrap_or(0);
        check_part(subject, Part { offset, length: size.saturating_mul(count), component, view }, &place);
    }
}
