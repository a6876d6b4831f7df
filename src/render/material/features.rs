//! The set of features that a shader module is compiled for. A module contains no code for extensions that its materials do not use.

use glam::Vec3;

use crate::model::material::Material;
use crate::model::material_layers::Specular;
use crate::model::material_property::MaterialProperty;

/// A set of features that select code of the surface shaders, one bit each: KHR_materials extensions that change how a surface is lit, and
/// modes of the renderer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ShaderFeatures(u16);

impl ShaderFeatures {
    /// KHR_materials_specular or KHR_materials_ior.
    pub const SPECULAR: Self = Self(1);
    /// KHR_materials_clearcoat.
    pub const CLEARCOAT: Self = Self(1 << 1);
    /// KHR_materials_sheen.
    pub const SHEEN: Self = Self(1 << 2);
    /// KHR_materials_iridescence.
    pub const IRIDESCENCE: Self = Self(1 << 3);
    /// KHR_materials_anisotropy.
    pub const ANISOTROPY: Self = Self(1 << 4);
    /// KHR_materials_transmission.
    pub const TRANSMISSION: Self = Self(1 << 5);
    /// KHR_materials_volume.
    pub const VOLUME: Self = Self(1 << 6);
    /// KHR_materials_dispersion.
    pub const DISPERSION: Self = Self(1 << 7);
    /// KHR_materials_diffuse_transmission.
    pub const DIFFUSE_TRANSMISSION: Self = Self(1 << 8);
    /// KHR_materials_pbrSpecularGlossiness.
    pub const SPECULAR_GLOSSINESS: Self = Self(1 << 9);
    /// Shows a heat map instead of lit surfaces. Set by the renderer, not by a material.
    pub const HEAT_MAP: Self = Self(1 << 10);
    /// Writes ids instead of colors, for picking. Set by the renderer, not by a material.
    pub const IDS: Self = Self(1 << 11);
    /// Some joints of the skin mirror triangles and others do not. Set by the renderer, not by a material.
    pub const MIXED_WINDING: Self = Self(1 << 12);

    /// The names that conditional lines of the shaders use.
    pub const NAMES: [(&'static str, Self); 13] = [
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
        ("heat_map", Self::HEAT_MAP),
        ("ids", Self::IDS),
        ("mixed_winding", Self::MIXED_WINDING),
    ];

    /// Returns the features that affect a material's shading. A layer with factor 0 does not affect it.
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
        // Extensions change how a surface is lit, so an unlit surface has none. The exception is specular-glossiness, because its
        // glossiness can still be shown as a value.
        let applies = |feature: Self| !material.unlit || feature == Self::SPECULAR_GLOSSINESS;
        let present = flags.into_iter().filter(|(present, feature)| *present && applies(*feature));
        present.fold(Self::default(), |all, (_, feature)| all.with(feature))
    }

    /// Returns the features of a material, including those that an animation of the file may switch on by changing `properties`. This way
    /// no shader has to be compiled during playback when a factor changes from 0 to another value.
    pub fn animated(material: &Material, properties: &[MaterialProperty]) -> Self {
        let mut animated = material.clone();
        // All of them are set to 0.5 at the same time, because some have an effect only if others are not 0. The properties that are not
        // animated keep the values of the file.
        properties.iter().for_each(|&property| animated.set(property, &[0.5; 4]));
        Self::from_material(material).with(Self::from_material(&animated))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the features that both sets contain.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether the set contains at least one feature of `any`.
    pub fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Returns whether the set contains the feature with this name in [`Self::NAMES`]. False for unknown names.
    pub fn has_named(self, name: &str) -> bool {
        Self::NAMES.iter().any(|(known, feature)| *known == name && self.has(*feature))
    }
}
