//! The input of the checks: the document, its readable accessors and buffer views, the bytes of its buffers, and the findings so
//! far. Every check reads this input and adds its findings.

use std::collections::HashSet;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::asset::accessor::elements::component_name;
use crate::asset::file::bytes::Bytes;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

use crate::validate::read;

/// The file under validation. Accessors, views and buffers have the file's indices.
pub struct ValidationContext<'a> {
    /// The raw JSON.
    pub root: &'a Value,
    pub is_glb: bool,
    pub accessors: Vec<Accessor>,
    pub views: Vec<View>,
    /// `None` if there is no data, or less than byteLength.
    pub buffers: Vec<Option<Bytes>>,
    /// Number of bytes that the buffers take where they are stored. It limits decompression and the numbers that are read.
    pub stored_bytes: u64,
    /// Rules for the values of accessors, which follow from the uses of the accessors: index of the accessor, rule, and JSON pointer of the
    /// use. Faults are reported at this pointer.
    pub value_rules: Vec<(usize, ValueRule, String)>,
    pub findings: Findings,
    extensions_used: HashSet<&'a str>,
}

/// The layout of an accessor whose type, component type and count are valid.
#[derive(Debug, Clone, Copy)]
pub struct AccessorLayout {
    pub component: ComponentType,
    pub shape: Type,
    /// Number of elements, at least 1.
    pub count: u64,
}

/// An accessor as declared. Offsets are in bytes.
#[derive(Debug, Clone)]
pub struct Accessor {
    /// `None` if the type, the component type or the count is missing or invalid.
    pub layout: Option<AccessorLayout>,
    /// The buffer view, if it exists.
    pub view: Option<usize>,
    pub offset: u64,
    pub normalized: bool,
    pub is_sparse: bool,
    /// Whether it has both `min` and `max`, of the right length.
    pub has_bounds: bool,
}

/// A buffer view as declared. Lengths are in bytes; missing or invalid lengths are 0.
#[derive(Debug, Clone, Copy)]
pub struct View {
    pub buffer: Option<usize>,
    pub offset: u64,
    pub length: u64,
    /// Bytes from element to element. `None` if it is missing or out of range.
    pub stride: Option<u64>,
    pub target: Option<u64>,
    /// Whether it is compressed by meshopt.
    pub is_compressed: bool,
}

/// A rule for the values of an accessor, which follows from its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueRule {
    /// Times that are not negative and strictly increase.
    KeyTimes,
    /// Unit quaternions. In a spline, only every third element is a unit quaternion; the others are tangents.
    Rotations { spline: bool },
    /// Matrices whose last row is 0, 0, 0, 1.
    InverseBindMatrices,
    /// Vectors of unit length.
    Unit,
    /// Vectors of unit length, with a sign of 1 or -1 as the fourth component.
    Tangents,
    /// Colors whose components are between 0 and 1.
    Colors,
}

impl<'a> ValidationContext<'a> {
    /// Reads accessors and views from the raw JSON. Buffers are filled in later.
    pub fn new(root: &'a Value, is_glb: bool, findings: Findings) -> Self {
        let extensions_used = read::list(root, "extensionsUsed").iter().filter_map(read::text).collect();
        let views: Vec<View> = read::list(root, "bufferViews").iter().map(view).collect();
        let accessors = read::list(root, "accessors").iter().map(|json| accessor(json, views.len())).collect();
        Self { root, is_glb, accessors, views, buffers: Vec::new(), stored_bytes: 0, value_rules: Vec::new(), findings, extensions_used }
    }

    /// Reports a violation of the specification.
    pub fn error(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Error, code, pointer, message.into());
    }

    /// Reports a property or value that is allowed, but probably a mistake.
    pub fn warning(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Warning, code, pointer, message.into());
    }

    /// Reports a fact that is neither an error nor a probable mistake.
    pub fn info(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.findings.add(Severity::Info, code, pointer, message.into());
    }

    /// The elements of an array of the root. Empty if there is none.
    pub fn list(&self, array: &str) -> &'a [Value] {
        read::list(self.root, array)
    }

    /// Returns whether the file lists an extension in extensionsUsed.
    pub fn uses(&self, extension: &str) -> bool {
        self.extensions_used.contains(extension)
    }

    /// Returns whether extensionsUsed lists an extension that the root object does not have.
    pub fn lacks_root_extension(&self, extension: &str) -> bool {
        self.uses(extension) && read::extension(self.root, extension).is_none()
    }

    /// The accessor that a property refers to, and its index. `None` if the property or the accessor does not exist.
    pub fn accessor(&self, json: &Value, key: &str) -> Option<(usize, Accessor)> {
        let index = read::index(json, key)?;
        Some((index, self.accessors.get(index)?.clone()))
    }

    /// The view of an accessor. `None` if it has none.
    pub fn view_of(&self, accessor: &Accessor) -> Option<View> {
        self.views.get(accessor.view?).copied()
    }
}

/// Reads a buffer view.
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

/// Reads an accessor. `views` is the number of views.
fn accessor(json: &Value, views: usize) -> Accessor {
    let layout = || {
        let count = read::unsigned(json, "count").filter(|&count| count > 0)?;
        Some(AccessorLayout {
            component: component(read::unsigned(json, "componentType")?)?,
            shape: shape(read::string(json, "type")?)?,
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

/// The component type that this OpenGL constant stands for. `None` if glTF does not allow the constant.
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

/// The element type with this name. `None` if there is no such type.
fn shape(name: &str) -> Option<Type> {
    Some(match name {
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
    /// Components per element.
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

    /// Bytes from column to column. Columns of matrices are aligned to 4 bytes (glTF 2.0, 3.6.2.4).
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

/// The format of an accessor in words, for example "VEC3 of FLOAT".
pub fn format(accessor: &Accessor) -> String {
    let Some(AccessorLayout { component, shape, .. }) = accessor.layout else { return "unknown".into() };
    let component = component_name(component);
    format!("{} of {}{component}", format!("{shape:?}").to_uppercase(), if accessor.normalized { "normalized " } else { "" })
}
