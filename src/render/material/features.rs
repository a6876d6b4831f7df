//! What a material has beyond metalness and roughness. A shader module is made for a set of these: it holds no line of what its
//! materials lack.

use glam::Vec3;

use crate::model::Model;
use crate::model::material::Material;
use crate::model::material_layers::Specular;
use crate::model::pointer::Property;

/// A set of the KHR_materials extensions that change the light of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Features(u16);

impl Features {
    /// KHR_materials_specular or KHR_materials_ior.
    pub const SPECULAR: Self = Self(1);
    pub const CLEARCOAT: Self = Self(1 << 1);
    pub const SHEEN: Self = Self(1 << 2);
    pub const IRIDESCENCE: Self = Self(1 << 3);
    pub const ANISOTROPY: Self = Self(1 << 4);
    pub const TRANSMISSION: Self = Self(1 << 5);
    pub const VOLUME: Self = Self(1 << 6);
    pub const DISPERSION: Self = Self(1 << 7);
    pub const DIFFUSE_TRANSMISSION: Self = Self(1 << 8);
    pub const SPECULAR_GLOSSINESS: Self = Self(1 << 9);
    /// Of no material: the weights of joints are shown in place of all light.
    pub const WEIGHTS: Self = Self(1 << 10);
    /// Of no material: what it is comes out as numbers.
    pub const IDS: Self = Self(1 << 11);

    /// As the shaders' lines name them.
    pub const NAMES: [(&'static str, Self); 12] = [
        ("specular", Self::SPECULAR),
        ("clearcoat", Self::CLEARCOAT),
        ("sheen", Self::SHEEN),
        ("iridescence", Self::IRIDESCENCE),
        ("anisotropy", Self::ANISOTROPY),
        ("transmission", Self::TRANSMISSION),
        ("volume", Self::VOLUME),
        ("dispersion", Self::DISPERSION),
        ("diffuse_transmission", Self::DIFFUSE_TRANSMISSION),
        ("specular_glossiness", Self::SPECULAR_GLOSSINESS),
        ("weights", Self::WEIGHTS),
        ("ids", Self::IDS),
    ];

    /// What of the material changes its light: a layer whose factor is 0 does not.
    pub fn from_material(material: &Material) -> Self {
        let glossy = material.specular_glossiness.is_some();
        let lets_through = material.transmission.factor > 0.0 || material.diffuse_transmission.factor > 0.0;
        let volume = lets_through && material.volume.thickness_factor > 0.0;
        let disperses = volume && material.transmission.factor > 0.0 && material.dispersion > 0.0;
        let specular = !glossy && (material.specular != Specular::default() || material.ior != Material::default().ior);
        let flags = [
            (specular, Self::SPECULAR),
            (material.clearcoat.factor > 0.0, Self::CLEARCOAT),
            (material.sheen.color_factor != Vec3::ZERO, Self::SHEEN),
            (material.iridescence.factor > 0.0, Self::IRIDESCENCE),
            (material.anisotropy.strength != 0.0, Self::ANISOTROPY),
            (material.transmission.factor > 0.0, Self::TRANSMISSION),
            (volume, Self::VOLUME),
            (disperses, Self::DISPERSION),
            (material.diffuse_transmission.factor > 0.0, Self::DIFFUSE_TRANSMISSION),
            (glossy, Self::SPECULAR_GLOSSINESS),
        ];
        let present = flags.into_iter().filter(|(present, _)| *present && !material.unlit);
        present.fold(Self::default(), |all, (_, feature)| all.with(feature))
    }

    /// What a material of a model has, and what some animation of the file can give it: one that begins at 0 is there from the
    /// beginning, so that nothing has to be compiled while it plays.
    pub fn animated(model: &Model, index: usize, material: &Material) -> Self {
        let mut driven = material.clone();
        for pointer in &model.pointers {
            match pointer.property {
                // A value that changes something, whatever the property.
                Property::Material { material, property } if material == index => driven.set(property, &[0.5; 4]),
                _ => {}
            }
        }
        Self::from_material(material).with(Self::from_material(&driven))
    }

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Any of these.
    pub fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// The same, by a name of [`Self::NAMES`]; of another name, false.
    pub fn has_named(self, name: &str) -> bool {
        Self::NAMES.iter().any(|(known, feature)| *known == name && self.has(*feature))
    }
}
