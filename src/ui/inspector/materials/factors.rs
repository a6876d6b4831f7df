//! The factors of a material as rows. Factors of extensions appear only if they differ from their defaults.

use egui::{Align2, Color32, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use glam::{Vec3, Vec4};

use crate::model::material::{AlphaMode, Material};
use crate::model::material_layers::{Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, Transmission, Volume};
use crate::numbers;
use crate::ui::style::{text, theme};
use crate::ui::widgets::value_rows;

/// Distance between the numbers of a color, in points.
const NUMBER_SPACING: f32 = 40.0;
/// Width and height of a color swatch, in points.
const SWATCH_SIDE: f32 = 16.0;

/// The value of a factor.
#[derive(Debug, Clone, PartialEq)]
pub enum Factor {
    Number(f32),
    /// Linear RGB.
    Color(Vec3),
    /// Linear RGB and alpha.
    ColorWithAlpha(Vec4),
    Words(String),
}

/// A label and its value.
type Row = (&'static str, Factor);

/// Draws all factors of a material, one row each.
pub fn factors_ui(ui: &mut Ui, material: &Material) {
    for (label, factor) in factors(material) {
        match factor {
            Factor::Number(number) => {
                let text = numbers::fitted(f64::from(number), 3, 9);
                value_rows::count_ui(ui, label, &text);
            }
            Factor::Words(words) => {
                value_rows::text_ui(ui, label, &words);
            }
            Factor::Color(color) => color_ui(ui, label, &color.to_array()),
            Factor::ColorWithAlpha(color) => color_ui(ui, label, &color.to_array()),
        }
    }
}

/// The rows of a material.
pub fn factors(material: &Material) -> Vec<Row> {
    [base(material), alpha(material), specular(material), layers(material), light_through(material)].concat()
}

/// Color, metalness, roughness, emission, and the scales of the core textures.
fn base(material: &Material) -> Vec<Row> {
    let mut rows = match &material.specular_glossiness {
        Some(glossy) => vec![
            ("Diffuse color", Factor::ColorWithAlpha(material.base_color_factor)),
            ("Specular color", Factor::Color(glossy.specular_factor)),
            ("Glossiness", Factor::Number(glossy.glossiness_factor)),
        ],
        None => vec![
            ("Base color", Factor::ColorWithAlpha(material.base_color_factor)),
            ("Metallic", Factor::Number(material.metallic_factor)),
            ("Roughness", Factor::Number(material.roughness_factor)),
        ],
    };
    rows.push(("Emissive", Factor::Color(material.emissive_factor)));
    let scales = [
        ("Emissive strength", material.emissive_strength, material.emissive_strength != Material::default().emissive_strength),
        ("Normal scale", material.normal_scale, material.normal_texture.is_some()),
        ("Occlusion strength", material.occlusion_strength, material.occlusion_texture.is_some()),
    ];
    rows.extend(present(scales));
    rows
}

/// The alpha mode, whether both sides are drawn, and whether the material is unlit.
fn alpha(material: &Material) -> Vec<Row> {
    let yes_or_no = |yes: bool| Factor::Words(if yes { "yes" } else { "no" }.into());
    let mut rows = match material.alpha_mode {
        AlphaMode::Opaque => vec![("Alpha mode", Factor::Words("opaque".into()))],
        AlphaMode::Mask { cutoff } => vec![("Alpha mode", Factor::Words("mask".into())), ("Alpha cutoff", Factor::Number(cutoff))],
        AlphaMode::Blend => vec![("Alpha mode", Factor::Words("blend".into()))],
    };
    rows.push(("Double-sided", yes_or_no(material.double_sided)));
    rows.extend(material.unlit.then(|| ("Unlit", yes_or_no(true))));
    rows
}

/// The factors of KHR_materials_ior and KHR_materials_specular.
fn specular(material: &Material) -> Vec<Row> {
    let mut rows: Vec<_> = present([("Index of refraction", material.ior, material.ior != Material::default().ior)]).collect();
    if material.specular != Specular::default() {
        rows.push(("Specular", Factor::Number(material.specular.factor)));
        rows.push(("Specular color", Factor::Color(material.specular.color_factor)));
    }
    rows
}

/// The factors of the layers over the base: clearcoat, sheen, iridescence and anisotropy.
fn layers(material: &Material) -> Vec<Row> {
    let Material { clearcoat, sheen, iridescence, anisotropy, .. } = material;
    let mut rows = Vec::new();
    if *clearcoat != Clearcoat::default() {
        rows.push(("Clearcoat", Factor::Number(clearcoat.factor)));
        rows.push(("Clearcoat roughness", Factor::Number(clearcoat.roughness_factor)));
        rows.extend(present([("Clearcoat normal scale", clearcoat.normal_scale, clearcoat.normal_texture.is_some())]));
    }
    if *sheen != Sheen::default() {
        rows.push(("Sheen color", Factor::Color(sheen.color_factor)));
        rows.push(("Sheen roughness", Factor::Number(sheen.roughness_factor)));
    }
    if *iridescence != Iridescence::default() {
        let Iridescence { thickness_minimum, thickness_maximum, .. } = iridescence;
        rows.push(("Iridescence", Factor::Number(iridescence.factor)));
        rows.push(("Film index of refraction", Factor::Number(iridescence.ior)));
        rows.push(("Film thickness", Factor::Words(format!("{thickness_minimum:.0} to {thickness_maximum:.0} nm"))));
    }
    if *anisotropy != Anisotropy::default() {
        rows.push(("Anisotropy", Factor::Number(anisotropy.strength)));
        let degrees = numbers::fitted(f64::from(anisotropy.rotation).to_degrees(), 1, 9);
        rows.push(("Anisotropy rotation", Factor::Words(format!("{degrees}\u{b0}"))));
    }
    rows
}

/// The factors for light that passes through the surface: transmission, volume, dispersion and diffuse transmission.
fn light_through(material: &Material) -> Vec<Row> {
    let Material { transmission, volume, diffuse_transmission, .. } = material;
    let mut rows: Vec<_> = present([("Transmission", transmission.factor, *transmission != Transmission::default())]).collect();
    if *volume != Volume::default() {
        rows.push(("Thickness", Factor::Number(volume.thickness_factor)));
        rows.extend(present([("Attenuation distance", volume.attenuation_distance, volume.attenuation_distance.is_finite())]));
        rows.push(("Attenuation color", Factor::Color(volume.attenuation_color)));
    }
    rows.extend(present([("Dispersion", material.dispersion, material.dispersion > 0.0)]));
    if *diffuse_transmission != DiffuseTransmission::default() {
        rows.push(("Diffuse transmission", Factor::Number(diffuse_transmission.factor)));
        rows.push(("Diffuse transmission color", Factor::Color(diffuse_transmission.color_factor)));
    }
    rows
}

/// The rows of those numbers whose flag is set.
fn present<const N: usize>(numbers: [(&'static str, f32, bool); N]) -> impl Iterator<Item = Row> {
    numbers.into_iter().filter(|(.., is_present)| *is_present).map(|(label, number, _)| (label, Factor::Number(number)))
}

/// Draws a linear color: its numbers at the right edge, and a swatch to the left of them.
fn color_ui(ui: &mut Ui, label: &str, color: &[f32]) {
    let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::hover());
    let (palette, font) = (theme::palette(ui.ctx()), theme::number_font());
    let texts: Vec<_> = color.iter().map(|channel| numbers::fitted(f64::from(*channel), 3, 5)).collect();
    for (i, number) in texts.iter().enumerate() {
        let right_center = pos2(row.right() - NUMBER_SPACING * (texts.len() - 1 - i) as f32, row.center().y);
        ui.painter().text(right_center, Align2::RIGHT_CENTER, number, font.clone(), palette.text);
    }
    let center = pos2(row.right() - NUMBER_SPACING * texts.len() as f32 - SWATCH_SIDE / 2.0, row.center().y);
    let swatch = egui::Rect::from_center_size(center, vec2(SWATCH_SIDE, SWATCH_SIDE));
    let shown = displayed(color);
    ui.painter().rect_filled(swatch, theme::RADIUS, shown);
    ui.painter().rect_stroke(swatch, theme::RADIUS, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
    let body = egui::TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, label, &body, swatch.left() - row.left() - 8.0);
    ui.painter().text(row.left_center(), Align2::LEFT_CENTER, short, body, palette.secondary);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {}", texts.join(", "))));
    let whole: Vec<_> = color.iter().map(ToString::to_string).collect();
    let hex = format!("#{:02X}{:02X}{:02X}", shown.r(), shown.g(), shown.b());
    response.on_hover_text(format!("{label}\nlinear {}\nsRGB {hex}", whole.join(", ")));
}

/// The opaque sRGB color of a linear color. Channels are clamped to 1.
fn displayed(color: &[f32]) -> Color32 {
    let channel = |i: usize| color.get(i).copied().unwrap_or(0.0).clamp(0.0, 1.0);
    let [r, g, b] = [0, 1, 2].map(|i| egui::ecolor::gamma_u8_from_linear_f32(channel(i)));
    Color32::from_rgb(r, g, b)
}
