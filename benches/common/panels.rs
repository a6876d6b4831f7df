//! All panels of a window of 1280x800 while an animation plays, without posing and drawing.

use std::time::Instant;

use egui::{RawInput, Rect, pos2, vec2};
use sinew::session::analyses::Analyses;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::transport::Transport;
use sinew::session::view::View;
use sinew::session::view::undo::Undo;
use sinew::ui::context::comparison::FrameContent;
use sinew::ui::context::preferences::TimelineRows;
use sinew::ui::layout;
use sinew::ui::state::{SharedState, UiState};
use sinew::ui::style::theme;

/// A window without a display.
pub struct Panels {
    ctx: egui::Context,
    state: UiState,
    document: Document,
    analyses: Analyses,
    view: View,
    undo: Undo,
    transport: Transport,
    posed: Posed,
    /// Whether the mouse wheel scrolls the rows of the timeline in each frame.
    scrolls: bool,
    /// Number of frames so far.
    number: usize,
}

impl Panels {
    /// Shows a document with these rows in the timeline. If `scrolls` is true, the mouse wheel scrolls them in each frame.
    pub fn new(document: Document, view: View, rows: TimelineRows, scrolls: bool) -> Self {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let mut state = UiState::default();
        state.preferences.timeline_rows = rows;
        let analyses = Analyses::new(&document, &view);
        let posed = Posed::new(&document.model);
        let undo = Undo::new(&view);
        Self { ctx, state, document, analyses, view, undo, transport: Transport::default(), posed, scrolls, number: 0 }
    }

    /// Advances playback, and turns the mouse wheel if the rows scroll. Returns the milliseconds that layout and tessellation take.
    pub fn frame(&mut self) -> f64 {
        self.number += 1;
        self.transport.advance(&self.document.model, &self.view, 1.0 / 60.0);
        solve::solve(&self.document.model, &self.view, self.transport.moment(), &mut self.posed);
        let wheel = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, if self.number % 100 < 80 { -40.0 } else { 160.0 }),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            time: Some(self.number as f64 / 60.0),
            events: [egui::Event::PointerMoved(pos2(600.0, 700.0))].into_iter().chain(self.scrolls.then_some(wheel)).collect(),
            ..RawInput::default()
        };
        let Self { ctx, state, document, analyses, view, undo, transport, posed, .. } = self;
        let (mut requests, start) = (Vec::new(), Instant::now());
        let mut output = ctx.run_ui(input, |ui| {
            let (panels, mut context) =
                state.split(SharedState { document, analyses, view, undo, transport, comparison: None, requests: &mut requests });
            let areas = layout::controls_ui(ui, panels, &mut context);
            let camera = view_camera::camera(context.subject(), posed, f64::from(areas.viewport.aspect_ratio()));
            layout::readouts_ui(ui, panels, &mut context, &areas, &FrameContent { posed, other: None, camera: &camera });
        });
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let took = start.elapsed().as_secs_f64() * 1e3;
        assert!(!primitives.is_empty());
        output.textures_delta.clear();
        took
    }
}
