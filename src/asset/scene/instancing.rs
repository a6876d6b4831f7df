//! EXT_mesh_gpu_instancing: where a node's mesh stands many times over. Whatever is wrong with it is a finding; the mesh is then
//! drawn once, as without the extension.

use glam::{Affine3A, Quat, Vec3};
use serde_json::Value;

use crate::asset::accessor::{Integers, NotFinite, Reader, Want};
use crate::asset::error::{Place, Problem};
use crate::model::Model;

pub const NAME: &str = "EXT_mesh_gpu_instancing";
/// Of all nodes together. On the device they take 96 MiB then, and any device binds as much at once.
const MOST: usize = 2 << 20;
const TRANSLATION: &str = "TRANSLATION";
const ROTATION: &str = "ROTATION";
const SCALE: &str = "SCALE";

/// Writes the instances into the nodes of `model`, which know their skins.
pub fn read(reader: &mut Reader, model: &mut Model) {
    let root = reader.root;
    let mut total = 0;
    for (source, json) in root.nodes.iter().enumerate() {
        let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
        let (Some(extension), Some(node)) = (extension, model.node_from_source(source)) else { continue };
        let node = &mut model.nodes[node.index()];
        let place = Place::new("node", "nodes", source, json.name.as_deref());
        let pointer = format!("{}/extensions/{NAME}", place.pointer);
        if node.mesh.is_none() {
            let message = format!("{} has instances, but no mesh: there is nothing to draw at them.", place.words);
            reader.findings.info("NODE_INSTANCES_WITHOUT_MESH", &pointer, message);
        } else if node.skin.is_some() {
            let message = format!("{} has a skin, which says where its mesh stands: its instances are ignored.", place.words);
            reader.findings.warning("NODE_INSTANCES_WITH_SKIN", &pointer, message);
        } else {
            match instances(reader, extension, &pointer, MOST - total) {
                Ok(instances) => node.instances = instances,
                Err(problem) => {
                    let message = format!("{}: {problem}; its mesh is drawn once, without instances.", place.words);
                    reader.findings.error("NODE_INSTANCES_INVALID", &pointer, message);
                }
            }
            total += node.instances.len();
        }
    }
}

/// One transform an instance; none where no attribute says where they are. `most`: no more are made.
fn instances(reader: &mut Reader, extension: &Value, pointer: &str, most: usize) -> Result<Vec<Affine3A>, Problem> {
    let want = |role| {
        let accessor = extension.get("attributes")?.get(role)?.as_u64()?;
        Some(Want { role, accessor: usize::try_from(accessor).unwrap_or(usize::MAX) })
    };
    let (translation, rotation, scale) = (want(TRANSLATION), want(ROTATION), want(SCALE));
    let mut counts = Vec::new();
    for want in [translation, rotation, scale].into_iter().flatten() {
        counts.push(reader.count(want)?);
    }
    let Some(fewest) = counts.iter().copied().min() else { return Ok(Vec::new()) };
    if counts.iter().any(|&count| count != fewest) {
        let message =
            format!("The attributes of the instances have different numbers of elements ({counts:?}); the first {fewest} are drawn.");
        reader.findings.error("NODE_INSTANCES_UNEQUAL_COUNTS", &format!("{pointer}/attributes"), message);
    }
    if fewest > most {
        return Err(Problem::TooMany { what: "instances", most: MOST as u64 });
    }
    let translations: Vec<Vec3> = read_all(reader, translation, Integers::AsTheFileSays)?;
    let rotations: Vec<[f32; 4]> = read_all(reader, rotation, Integers::Normalized)?;
    let scales: Vec<Vec3> = read_all(reader, scale, Integers::AsTheFileSays)?;
    let transform = |i: usize| {
        let translation = translations.get(i).copied().unwrap_or(Vec3::ZERO);
        let rotation = rotations.get(i).map_or(Quat::IDENTITY, |rotation| unit(*rotation));
        Affine3A::from_scale_rotation_translation(scales.get(i).copied().unwrap_or(Vec3::ONE), rotation, translation)
    };
    Ok((0..fewest).map(transform).collect())
}

fn read_all<T: From<[f32; N]> + Clone, const N: usize>(
    reader: &mut Reader,
    want: Option<Want>,
    integers: Integers,
) -> Result<Vec<T>, Problem> {
    want.map_or(Ok(Vec::new()), |want| reader.read_floats(want, NotFinite::Zero, integers))
}

/// Quantized rotations are not of unit length; one of none turns nothing.
fn unit(rotation: [f32; 4]) -> Quat {
    let rotation = glam::Vec4::from_array(rotation).as_dvec4();
    rotation.try_normalize().map_or(Quat::IDENTITY, |rotation| Quat::from_vec4(rotation.as_vec4()))
}
