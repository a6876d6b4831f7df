//! What the checks look at: the document, its accessors and buffer views as far as these can be read, its buffers' bytes, and
//! what was found so far.

use std::collections::HashSet;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::asset::accessor::elements::component_name;
use crate::asset::file::buffer::Bytes;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

use super::read;

pub struct Subject<'a> {
    pub root: &'a Value,
    pub is_glb: bool,
    pub accessors: Vec<Accessor>,
    pub views: Vec<View>,
    /// None where there is no data, or less than the buffer says.
    pub buffers: Vec<Option<Bytes>>,
    /// What accessors' numbers must hold to, because of what uses them.
    pub duties: Vec<(usize, Duty, String)>,
    pub findings: Findings,
    extensions_used: HashSet<&'a str>,
}

/// An accessor that can be read: its type, its component type and its count are what they may be.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub component: ComponentType,
    pub shape: Type,
    pub count: u64,
}

#[derive(Debug, Clone)]
pub struct Accessor {
    pub layout: Option<Layout>,
    /// The buffer view, if there is one of this index.
    pub view: Option<usize>,
    pub offset: u64,
    pub normalized: bool,
    pub is_sparse: bool,
    pub has_bounds: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct View {
    pub buffer: Option<usize>,
    pub offset: u64,
    pub length: u64,
    pub stride: Option<u64>,
    pub target: Option<u64>,
    pub is_compressed: bool,
}

/// What the numbers of an accessor must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duty {
    KeyTimes,
    /// Of a spline, only every third.
    Rotations {
        spline: bool,
    },
    InverseBindMatrices,
    Unit,
    /// Unit vectors and a sign.
    Tangents,
    /// From 0 to 1.
    Colors,
}

impl<'a> Subject<'a> {
    pub fn new(root: &'a Value, is_glb: bool, findings: Findings) -> Self {
        let extensions_used = read::list(root, "extensionsUsed").iter().filter_map(Value::as_str).collect();
        let views: Vec<View> = read::list(root, "bufferViews").iter().map(view).collect();
        let accessors = read::list(root, "accessors").iter().map(|json| accessor(json, views.len())).collect();
        Self { root, is_glb, accessors, views, buffers: Vec::new(), duties: Vec::new(), findings, extensions_used }
    }

    pub fn error(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Error, code, pointer, message.into());
    }

    pub fn warning(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Warning, code, pointer, message.into());
    }

    pub fn info(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Info, code, pointer, message.into());
    }

    pub fn list(&self, array: &str) -> &'a [Value] {
        read::list(self.root, array)
    }

    /// Whether the file says that it uses an extension.
    pub fn uses(&self, extension: &str) -> bool {
        self.extensions_used.contains(extension)
    }

    /// The accessor that a property names, and its index.
    pub fn accessor(&self, json: &Value, key: &str) -> Option<(usize, Accessor)> {
        let index = read::index(json, key)?;
        Some((index, self.accessors.get(index)?.clone()))
    }

    pub fn view_of(&self, accessor: &Accessor) -> Option<View> {
        self.views.get(accessor.view?).copied()
    }
}

fn view(json: &Value) -> View {
    let in_range = |stride: &u64| (4..=252).contains(stride);
    View {
        buffer: read::index(json, "buffer"),
        offset: read::unsigned(json, "byteOffset").unwrap_or(0),
        length: read::unsigned(json, "byteLength").unwrap_or(0),
        stride: read::unsigned(json, "byteStride").filter(in_range),
        target: read::unsigned(json, "target"),
        is_compressed: ["EXT_meshopt_compression", "KHR_meshopt_compression"].iter().any(|name| read::extension(json, name).is_some()),
    }
}

fn accessor(json: &Value, views: usize) -> Accessor {
    let layout = || {
        let count = read::unsigned(json, "count").filter(|&count| count > 0)?;
        Some(Layout { component: component(read::unsigned(json, "componentType")?)?, shape: shape(read::word(json, "type")?)?, count })
    };
    let layout = layout();
    let is_bound = |key: &str| {
        let bounds = json.get(key).and_then(Value::as_array);
        bounds.is_some_and(|bounds| layout.is_none_or(|layout| bounds.len() as u64 == layout.components()))
    };
    Accessor {
        layout,
        view: read::index(json, "bufferView").filter(|&view| view < views),
        offset: read::unsigned(json, "byteOffset").unwrap_or(0),
        normalized: json.get("normalized").and_then(Value::as_bool).unwrap_or(false),
        is_sparse: json.get("sparse").is_some_and(Value::is_object),
        has_bounds: is_bound("min") && is_bound("max"),
    }
}

pub fn component(code: u64) -> Option<ComponentType> {
    Some(match code {
        5120 => ComponentType::I8,
        5121 => ComponentType::U8,
        5122 => ComponentType::I16,
        5123 => ComponentType::U16,
        5125 => ComponentType::U32,
        5126 => ComponentType::F32,
        _ => return None,
    })
}

fn shape(word: &str) -> Option<Type> {
    Some(match word {
        "SCALAR" => Type::Scalar,
        "VEC2" => Type::Vec2,
        "VEC3" => Type::Vec3,
        "VEC4" => Type::Vec4,
        "MAT2" => Type::Mat2,
        "MAT3" => Type::Mat3,
        "MAT4" => Type::Mat4,
        _ => return None,
    })
}

impl Layout {
    pub fn components(self) -> u64 {
        self.shape.multiplicity() as u64
    }

    /// Columns, and how many components each has.
    pub fn columns(self) -> (u64, u64) {
        match self.shape {
            Type::Mat2 => (2, 2),
            Type::Mat3 => (3, 3),
            Type::Mat4 => (4, 4),
            _ => (1, self.components()),
        }
    }

    /// Bytes from column to column: columns of matrices begin at multiples of four.
    pub fn column_stride(self) -> u64 {
        let (columns, rows) = self.columns();
        let bytes = rows * self.component.size() as u64;
        if columns > 1 { bytes.next_multiple_of(4) } else { bytes }
    }

    /// Bytes of an element, without padding behind its last column.
    pub fn element_length(self) -> u64 {
        let (columns, rows) = self.columns();
        self.column_stride() * (columns - 1) + rows * self.component.size() as u64
    }

    /// Bytes from element to element where the view does not say.
    pub fn tight_stride(self) -> u64 {
        self.column_stride() * self.columns().0
    }

    /// Bytes of all elements at this stride; saturates.
    pub fn span(self, stride: u64) -> u64 {
        stride.saturating_mul(self.count - 1).saturating_add(self.element_length())
    }
}

/// An accessor's form in words: VEC3 of FLOAT.
pub fn format(accessor: &Accessor) -> String {
    let Some(Layout { component, shape, .. }) = accessor.layout else { return "unknown".into() };
    let component = component_name(component);
    format!("{} of {}{component}", format!("{shape:?}").to_uppercase(), if accessor.normalized { "normalized " } else { "" })
}
