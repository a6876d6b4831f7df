//! The input of the checks: the document, its readable accessors and buffer views, the bytes of its buffers, and the findings so
//! far.

use std::collections::HashSet;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::asset::accessor::elements::component_name;
use crate::asset::file::bytes::Bytes;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

use super::read;

/// The file under validation.
pub struct Subject<'a> {
    pub root: &'a Value,
    pub is_glb: bool,
    pub accessors: Vec<Accessor>,
    pub views: Vec<View>,
    /// `None` if there is no data, or less than byteLength.
    pub buffers: Vec<Option<Bytes>>,
    /// Checks of accessor values that depend on their use: accessor, kind of use, and JSON pointer of the use.
    pub value_rules: Vec<(usize, ValueRule, String)>,
    pub findings: Findings,
    extensions_used: HashSet<&'a str>,
}

/// The layout of an accessor whose type, component type and count are valid.
#[derive(Debug, Clone, Copy)]
pub struct AccessorLayout {
    pub component: ComponentType,
    pub shape: Type,
    pub count: u64,
}

/// An accessor as declared.
#[derive(Debug, Clone)]
pub struct Accessor {
    pub layout: Option<AccessorLayout>,
    /// The buffer view, if it exists.
    pub view: Option<usize>,
    pub offset: u64,
    pub normalized: bool,
    pub is_sparse: bool,
    pub has_bounds: bool,
}

/// A buffer view as declared.
#[derive(Debug, Clone, Copy)]
pub struct View {
    pub buffer: Option<usize>,
    pub offset: u64,
    pub length: u64,
    pub stride: Option<u64>,
    pub target: Option<u64>,
    pub is_compressed: bool,
}

/// A kind of use that restricts the values of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueRule {
    KeyTimes,
    /// In a spline, every third value.
    Rotations {
        spline: bool,
    },
    InverseBindMatrices,
    Unit,
    /// Unit vectors and a sign.
    Tangents,
    /// Between 0 and 1.
    Colors,
}

impl<'a> Subject<'a> {
    pub fn new(root: &'a Value, is_glb: bool, findings: Findings) -> Self {
        let extensions_used = read::list(root, "extensionsUsed").iter().filter_map(Value::as_str).collect();
        let views: Vec<View> = read::list(root, "bufferViews").iter().map(view).collect();
        let accessors = read::list(root, "accessors").iter().map(|json| accessor(json, views.len())).collect();
        Self { root, is_glb, accessors, views, buffers: Vec::new(), value_rules: Vec::new(), findings, extensions_used }
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

    /// Whether the file lists an extension in extensionsUsed.
    pub fn uses(&self, extension: &str) -> bool {
        self.extensions_used.contains(extension)
    }

    /// Whether a listed extension is missing at the document itself.
    pub fn lacks_root_extension(&self, extension: &str) -> bool {
        self.uses(extension) && read::extension(self.root, extension).is_none()
    }

    /// The accessor that a property refers to, and its index.
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
    let has_offset = json.get("byteOffset").is_none_or(|offset| read::integer(offset).is_some());
    let has_length = read::unsigned(json, "byteLength").is_some_and(|length| length > 0);
    View {
        buffer: read::index(json, "buffer").filter(|_| has_offset && has_length),
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
        Some(AccessorLayout {
            component: component(read::unsigned(json, "componentType")?)?,
            shape: shape(read::word(json, "type")?)?,
            count,
        })
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

impl AccessorLayout {
    pub fn components(self) -> u64 {
        self.shape.multiplicity() as u64
    }

    /// The number of columns, and of components per column.
    pub fn columns(self) -> (u64, u64) {
        match self.shape {
            Type::Mat2 => (2, 2),
            Type::Mat3 => (3, 3),
            Type::Mat4 => (4, 4),
            _ => (1, self.components()),
        }
    }

    /// Bytes from column to column. Columns of matrices are aligned to 4 bytes.
    pub fn column_stride(self) -> u64 {
        let (columns, rows) = self.columns();
        let bytes = rows * self.component.size() as u64;
        if columns > 1 { bytes.next_multiple_of(4) } else { bytes }
    }

    /// Bytes of an element, without padding after its last column.
    pub fn element_length(self) -> u64 {
        let (columns, rows) = self.columns();
        self.column_stride() * (columns - 1) + rows * self.component.size() as u64
    }

    /// Bytes from element to element if the view has no byteStride.
    pub fn tight_stride(self) -> u64 {
        self.column_stride() * self.columns().0
    }

    /// Bytes of all elements at this stride. Saturates.
    pub fn span(self, stride: u64) -> u64 {
        stride.saturating_mul(self.count - 1).saturating_add(self.element_length())
    }
}

/// The format of an accessor in words: VEC3 of FLOAT.
pub fn format(accessor: &Accessor) -> String {
    let Some(AccessorLayout { component, shape, .. }) = accessor.layout else { return "unknown".into() };
    let component = component_name(component);
    format!("{} of {}{component}", format!("{shape:?}").to_uppercase(), if accessor.normalized { "normalized " } else { "" })
}
