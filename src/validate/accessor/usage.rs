//! The uses of accessors and buffer views: a view serves one purpose, and only vertex data may be interleaved (glTF 2.0, 3.6.1
//! and 3.6.2.4).

use std::collections::{HashMap, HashSet};

use crate::validate::context::{ValidationContext, View};
use crate::validate::read;

/// A purpose that an accessor or view is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Vertices,
    Indices,
    KeyTimes,
    KeyValues,
    InverseBindMatrices,
    Image,
    Sparse,
}

impl Role {
    /// The role in words, for messages.
    fn words(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::Indices => "indices",
            Self::KeyTimes => "key times",
            Self::KeyValues => "key values",
            Self::InverseBindMatrices => "inverse bind matrices",
            Self::Image => "an image",
            Self::Sparse => "sparse data",
        }
    }

    /// The role of a view. A view of key times or key values has the same role as a view of sparse data.
    fn view_role(self) -> Self {
        match self {
            Self::KeyTimes | Self::KeyValues => Self::Sparse,
            other => other,
        }
    }

    /// The code of the finding about a view with a byteStride in this role. `None` if such a view may have a byteStride, or if another
    /// check reports it.
    fn stride_code(self) -> Option<&'static str> {
        match self {
            Self::Vertices | Self::Sparse => None,
            Self::Indices => Some("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"),
            Self::KeyTimes | Self::KeyValues => Some("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"),
            Self::InverseBindMatrices => Some("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"),
            Self::Image => Some("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE"),
        }
    }
}

/// The first role of each accessor and view. Later uses must have the same role.
#[derive(Debug, Default)]
struct Uses {
    accessors: HashMap<usize, Role>,
    views: HashMap<usize, Role>,
    /// The accessors of vertex attributes in each view without a byteStride.
    tight_attributes: HashMap<usize, HashSet<usize>>,
}

/// Records all uses, and reports those that conflict with an earlier use.
pub fn check(context: &mut ValidationContext) {
    let mut uses = Uses::default();
    // A declared target counts as the first use. 34962 is ARRAY_BUFFER, 34963 ELEMENT_ARRAY_BUFFER.
    for (index, view) in context.views.iter().enumerate() {
        let role = match view.target {
            Some(34962) => Role::Vertices,
            Some(34963) => Role::Indices,
            _ => continue,
        };
        uses.views.insert(index, role);
    }
    // Uses are recorded in the order of the Khronos validator, which reports an override at the second use.
    for (index, json) in context.list("accessors").iter().enumerate() {
        let Some(sparse) = json.get("sparse") else { continue };
        for key in ["indices", "values"] {
            let Some(view) = sparse.get(key).and_then(|part| read::index(part, "bufferView")) else { continue };
            uses.view(context, view, Role::Sparse, &format!("/accessors/{index}/sparse/{key}/bufferView"));
        }
    }
    for (index, json) in context.list("images").iter().enumerate() {
        let Some(view) = read::index(json, "bufferView") else { continue };
        uses.view(context, view, Role::Image, &format!("/images/{index}/bufferView"));
    }
    for (index, json) in context.list("skins").iter().enumerate() {
        let Some(accessor) = read::index(json, "inverseBindMatrices") else { continue };
        uses.accessor(context, accessor, Role::InverseBindMatrices, &format!("/skins/{index}/inverseBindMatrices"));
    }
    check_primitives(context, &mut uses);
    for (index, json) in context.list("animations").iter().enumerate() {
        for (sampler, json) in read::list(json, "samplers").iter().enumerate() {
            for (key, role) in [("input", Role::KeyTimes), ("output", Role::KeyValues)] {
                let Some(accessor) = read::index(json, key) else { continue };
                uses.accessor(context, accessor, role, &format!("/animations/{index}/samplers/{sampler}/{key}"));
            }
        }
    }
}

/// Records attributes, indices and morph targets.
fn check_primitives(context: &mut ValidationContext, uses: &mut Uses) {
    for (mesh, json) in context.list("meshes").iter().enumerate() {
        for (primitive, json) in read::list(json, "primitives").iter().enumerate() {
            let pointer = format!("/meshes/{mesh}/primitives/{primitive}");
            let attributes = json.get("attributes").and_then(|attributes| attributes.as_object()).into_iter().flatten();
            for (name, accessor) in attributes {
                let Some(accessor) = read::integer(accessor) else { continue };
                uses.vertices(context, accessor as usize, &format!("{pointer}/attributes/{}", read::escaped(name)));
            }
            if let Some(accessor) = read::index(json, "indices") {
                uses.accessor(context, accessor, Role::Indices, &format!("{pointer}/indices"));
            }
            for (target, json) in read::list(json, "targets").iter().enumerate() {
                for (name, accessor) in json.as_object().into_iter().flatten() {
                    let Some(accessor) = read::integer(accessor) else { continue };
                    uses.vertices(context, accessor as usize, &format!("{pointer}/targets/{target}/{}", read::escaped(name)));
                }
            }
        }
    }
}

impl Uses {
    /// Records a use of an accessor and of its view.
    fn accessor(&mut self, context: &mut ValidationContext, accessor: usize, role: Role, pointer: &str) {
        let Some(view) = context.accessors.get(accessor).map(|accessor| accessor.view) else { return };
        match self.accessors.get(&accessor) {
            None => _ = self.accessors.insert(accessor, role),
            Some(&first_role) if first_role != role => {
                let message = format!("Accessor {accessor} is used for both {} and {}.", first_role.words(), role.words());
                context.error("ACCESSOR_USAGE_OVERRIDE", pointer, message);
            }
            Some(_) => {}
        }
        if let Some(view) = view {
            self.view(context, view, role, pointer);
        }
    }

    /// Records a use of a view.
    fn view(&mut self, context: &mut ValidationContext, view: usize, role: Role, pointer: &str) {
        let Some(&View { stride, .. }) = context.views.get(view) else { return };
        if let Some(code) = role.stride_code().filter(|_| stride.is_some()) {
            context.error(code, pointer, format!("Buffer view {view} has a byteStride, which is not allowed for {}.", role.words()));
        }
        // The first role is recorded. Each later use in another role is reported.
        match self.views.get(&view) {
            None => _ = self.views.insert(view, role.view_role()),
            Some(&first_role) if first_role != role.view_role() => {
                let message = format!("Buffer view {view} is declared or used for {}, but here for {}.", first_role.words(), role.words());
                context.error("BUFFER_VIEW_TARGET_OVERRIDE", pointer, message);
            }
            Some(_) => {}
        }
    }

    /// Records a vertex attribute. Several attributes in one view need a byteStride.
    fn vertices(&mut self, context: &mut ValidationContext, accessor: usize, pointer: &str) {
        self.accessor(context, accessor, Role::Vertices, pointer);
        let Some(view) = context.accessors.get(accessor).and_then(|accessor| accessor.view) else { return };
        if context.views[view].stride.is_some() {
            return;
        }
        let attributes = self.tight_attributes.entry(view).or_default();
        if attributes.insert(accessor) && attributes.len() > 1 {
            let message = format!("Several attributes are in buffer view {view}, which has no byteStride.");
            context.error("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", pointer, message);
        }
    }
}
