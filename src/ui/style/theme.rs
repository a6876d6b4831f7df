//! The theme: the colors of the dark and the light theme, the sizes, and the egui style and fonts made from them. [`palette`] returns the
//! colors in use.

use egui::style::{ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Key, Margin, Painter, Shadow, Stroke, StrokeKind, Style, TextStyle, Theme,
    ThemePreference, Ui, Visuals, vec2,
};

use crate::captions::fonts::{self, SEMIBOLD_FAMILY};
use crate::captions::legends::frame;
use crate::colors::{self, Colors, Rgb};
use crate::ui::context::preferences::{Preferences, ThemeChoice};

/// Colors by role. Text, axis and status colors have a contrast of at least 4.5:1 on the panel (a test checks this).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Background of the viewport.
    pub viewport: Color32,
    pub panel: Color32,
    /// Background of buttons and popups.
    pub raised: Color32,
    /// Background of text fields and of the timeline's tracks.
    pub field: Color32,
    pub hover: Color32,
    pub divider: Color32,
    /// Outline of controls.
    pub outline: Color32,
    pub text: Color32,
    pub secondary: Color32,
    pub disabled: Color32,
    /// Selection and keyboard focus.
    pub accent: Color32,
    pub selection: Color32,
    pub on_accent: Color32,
    pub playhead: Color32,
    /// A joint that is not selected.
    pub joint: Color32,
    pub warning: Color32,
    pub error: Color32,
    pub good: Color32,
    /// Colors of X, Y, Z and W.
    pub axes: [Color32; 4],
    /// Trail colors, from zero to the greatest speed.
    pub speeds: [[u8; 3]; 5],
    /// Ghost colors, in the order of [`crate::session::pose::onion_skin::GhostKind`].
    pub ghosts: [[u8; 3]; 4],
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const fn shared([r, g, b]: Rgb) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// Returns the colors of X, Y, Z and W.
const fn axes(colors: &Colors, w: Color32) -> [Color32; 4] {
    let [x, y, z] = colors.axes;
    [shared(x), shared(y), shared(z), w]
}

pub const DARK: Palette = Palette {
    viewport: shared(colors::DARK.background),
    panel: shared(colors::DARK.panel),
    raised: rgb(0x24272C),
    field: rgb(0x131518),
    hover: rgb(0x2E3238),
    divider: shared(colors::DARK.divider),
    outline: rgb(0x737B87),
    text: shared(colors::DARK.text),
    secondary: shared(colors::DARK.secondary),
    disabled: rgb(0x6B727D),
    accent: shared(colors::DARK.accent),
    selection: rgb(0x16403F),
    on_accent: rgb(0x0B1420),
    playhead: rgb(0xFFFFFF),
    joint: shared(colors::DARK.joint),
    warning: shared(colors::DARK.contacts[1]),
    error: shared(colors::DARK.contacts[2]),
    good: shared(colors::DARK.contacts[0]),
    axes: axes(&colors::DARK, rgb(0xC58AF9)),
    speeds: colors::DARK.speeds,
    ghosts: colors::DARK.ghosts,
};

pub const LIGHT: Palette = Palette {
    viewport: shared(colors::LIGHT.background),
    panel: shared(colors::LIGHT.panel),
    raised: rgb(0xFFFFFF),
    field: rgb(0xFFFFFF),
    hover: rgb(0xE6E9EE),
    divider: shared(colors::LIGHT.divider),
    outline: rgb(0x6F7783),
    text: shared(colors::LIGHT.text),
    secondary: shared(colors::LIGHT.secondary),
    disabled: rgb(0x7E8794),
    accent: shared(colors::LIGHT.accent),
    selection: rgb(0xCDEBEA),
    on_accent: rgb(0xFFFFFF),
    playhead: rgb(0x111417),
    joint: shared(colors::LIGHT.joint),
    warning: shared(colors::LIGHT.contacts[1]),
    error: shared(colors::LIGHT.contacts[2]),
    good: shared(colors::LIGHT.contacts[0]),
    axes: axes(&colors::LIGHT, rgb(0x7B3FC4)),
    speeds: colors::LIGHT.speeds,
    ghosts: colors::LIGHT.ghosts,
};

/// Corner radius of controls and of popups, in points. Panels have square corners.
pub const RADIUS: f32 = frame::RADIUS;
pub const POPUP_RADIUS: u8 = 6;
/// Margin inside a panel and between its sections, in points.
pub const MARGIN: f32 = 8.0;
pub const SECTION_GAP: f32 = 16.0;
/// Height of the menu bar, in points.
pub const MENU_BAR_HEIGHT: f32 = 28.0;
/// Height of a button or field, in points.
pub const CONTROL_HEIGHT: f32 = 24.0;
// Heights of rows, in points.
pub const TREE_ROW_HEIGHT: f32 = 22.0;
pub const ANIMATION_ROW_HEIGHT: f32 = 26.0;
pub const INSPECTOR_ROW_HEIGHT: f32 = 24.0;
/// Indentation of a level in a tree, in points.
pub const INDENT: f32 = 14.0;
/// Minimum indentation of a level in a deep tree, in points.
pub const MIN_INDENT: f32 = 8.0;

/// Font of section titles.
pub fn section_font() -> FontId {
    FontId::new(13.0, FontFamily::Name(SEMIBOLD_FAMILY.into()))
}

/// Font of the titles of groups within a section.
pub fn sub_head_font() -> FontId {
    FontId::proportional(12.0)
}

/// Font of changing numbers. The digits of the embedded Inter have equal width.
pub fn number_font() -> FontId {
    FontId::proportional(12.0)
}

/// The palette in use.
pub fn palette(ctx: &Context) -> &'static Palette {
    theme_palette(ctx.theme())
}

/// The colors of the current theme that exported pictures share with the window.
pub fn picture_colors(ctx: &Context) -> &'static Colors {
    match ctx.theme() {
        Theme::Dark => &colors::DARK,
        Theme::Light => &colors::LIGHT,
    }
}

fn theme_palette(theme: Theme) -> &'static Palette {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// Sets the fonts and both styles, once at the start.
pub fn install(ctx: &Context) {
    fonts::set_fonts(ctx, &[]);
    ctx.options_mut(|options| {
        // Ctrl with plus, minus and 0 is handled by the action table.
        options.zoom_with_keyboard = false;
        // In slow frames, even a short click exceeds egui's default limit for clicks.
        options.input_options.max_click_duration = 3.0;
    });
    for theme in [Theme::Dark, Theme::Light] {
        ctx.set_style_of(theme, style(theme));
    }
}

/// Applies the preferred theme and scale. It is called each frame, because either may change. `scale_correction` is the ratio of the
/// desktop's scale to the one that egui uses.
pub fn apply(ctx: &Context, preferences: &Preferences, scale_correction: f32) {
    let preference = match preferences.theme {
        ThemeChoice::System => ThemePreference::System,
        ThemeChoice::Dark => ThemePreference::Dark,
        ThemeChoice::Light => ThemePreference::Light,
    };
    if ctx.options(|options| options.theme_preference) != preference {
        ctx.set_theme(preference);
    }
    let zoom = preferences.scale * scale_correction;
    if ctx.zoom_factor() != zoom {
        ctx.set_zoom_factor(zoom);
    }
}

/// Draws a ring around the widget with keyboard focus, after all panels.
pub fn focus_ring(ctx: &Context) {
    // In a frame with a click elsewhere, reading the response of the focused widget would take its focus away.
    if ctx.input(|input| input.pointer.any_click()) {
        return;
    }
    // The ring is for keyboard users; mouse users see what they clicked.
    let focused_by_key = egui::Id::unique("focus moved by key");
    if ctx.input(|input| input.pointer.any_pressed()) {
        ctx.data_mut(|data| data.insert_temp(focused_by_key, false));
    } else if ctx.input(|input| input.key_pressed(Key::Tab)) {
        ctx.data_mut(|data| data.insert_temp(focused_by_key, true));
    }
    if !ctx.data(|data| data.get_temp(focused_by_key).unwrap_or(false)) {
        return;
    }
    let Some(response) = ctx.memory(egui::Memory::focused).and_then(|id| ctx.read_response(id)) else { return };
    let ring = response.interact_rect.expand(1.0);
    let painter = ctx.layer_painter(response.layer_id);
    painter.rect_stroke(ring, RADIUS + 1.0, Stroke::new(2.0, palette(ctx).accent), StrokeKind::Outside);
}

/// A painter for disabled widgets that already use the color for disabled widgets. The usual painter would dim them once more.
pub fn undimmed(ui: &Ui) -> Painter {
    let mut painter = ui.painter().clone();
    if !ui.is_enabled() {
        // A popup that fades in also changes the opacity.
        painter.set_opacity(painter.opacity() / ui.visuals().disabled_alpha);
    }
    painter
}

fn style(theme: Theme) -> Style {
    let mut style = Style { visuals: visuals(theme), animation_time: 0.1, ..Style::default() };
    style.text_styles = [
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Small, FontId::proportional(11.0)),
        (TextStyle::Heading, FontId::new(16.0, FontFamily::Name(SEMIBOLD_FAMILY.into()))),
        (TextStyle::Monospace, number_font()),
    ]
    .into();
    style.drag_value_text_style = TextStyle::Monospace;
    style.spacing.item_spacing = vec2(8.0, 4.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.window_margin = Margin::same(16);
    style.spacing.menu_margin = Margin::same(4);
    style.spacing.indent = INDENT;
    style.spacing.interact_size = vec2(CONTROL_HEIGHT, CONTROL_HEIGHT);
    style.spacing.scroll = ScrollStyle::floating();
    // Names in rows are clicked, not selected as text. A button copies them where needed.
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.resize_grab_radius_side = 4.0;
    style
}

fn visuals(theme: Theme) -> Visuals {
    let colors = theme_palette(theme);
    let line = |color| Stroke::new(1.0, color);
    let widget = |fill, border, text| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: line(border),
        corner_radius: CornerRadius::same(RADIUS as u8),
        fg_stroke: line(text),
        expansion: 0.0,
    };
    let shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(96) };
    Visuals {
        widgets: Widgets {
            noninteractive: widget(colors.panel, colors.divider, colors.text),
            inactive: widget(colors.raised, colors.outline, colors.text),
            hovered: widget(colors.hover, colors.outline, colors.text),
            active: widget(colors.field, colors.accent, colors.text),
            open: widget(colors.hover, colors.outline, colors.text),
        },
        selection: Selection { bg_fill: colors.selection, stroke: line(colors.accent) },
        indent_has_left_vline: false,
        weak_text_color: Some(colors.secondary),
        hyperlink_color: colors.accent,
        faint_bg_color: colors.raised,
        extreme_bg_color: colors.field,
        code_bg_color: colors.field,
        warn_fg_color: colors.warning,
        error_fg_color: colors.error,
        window_corner_radius: CornerRadius::same(POPUP_RADIUS),
        menu_corner_radius: CornerRadius::same(POPUP_RADIUS),
        window_fill: colors.raised,
        window_stroke: line(colors.divider),
        panel_fill: colors.panel,
        window_shadow: shadow,
        popup_shadow: shadow,
        ..match theme {
            Theme::Dark => Visuals::dark(),
            Theme::Light => Visuals::light(),
        }
    }
}

/// Shows the scroll bars in `ui` even while the pointer is elsewhere. Without a bar, the last visible row looks like the end of the list.
pub fn keep_scroll_bars_visible(ui: &mut Ui) {
    let bar = &mut ui.spacing_mut().scroll;
    bar.dormant_handle_opacity = bar.active_handle_opacity;
}
