//! Runs the panels without a real window. Builds a small model, and a harness that runs the steps of each frame in the order of the
//! application.
#![allow(dead_code)] // each test binary uses only a part

use std::sync::Arc;

use egui_kittest::Harness;
use glam::{Affine3A, Vec3, Vec3A};

use sinew::compare::{Choices, compare};
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::camera::{Camera, Projection};
use sinew::model::finding::{Finding, Severity};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::mesh::{Mesh, Primitive, Vertices};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;
use sinew::model::{Model, Scene};
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::transport::Transport;
use sinew::session::view::View;
use sinew::session::view::undo::Undo;
use sinew::ui::actions::Action;
use sinew::ui::context::Context;
use sinew::ui::context::comparison::{CompareChoices, CompareStatus, FrameContent, OtherKind, OtherPose};
use sinew::ui::context::request::Request;
use sinew::ui::layout::{self, Areas};
use sinew::ui::perform;
use sinew::ui::state::{PanelStates, SharedState, UiState};
use sinew::ui::style::theme;

/// The state of the application that the panels use.
pub struct Window {
    pub state: UiState,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    pub undo: Undo,
    pub transport: Transport,
    /// The part of a comparison that panels show.
    pub comparison: Option<CompareStatus>,
    pub requests: Vec<Request>,
    pub posed: Posed,
    /// The document that the open one is compared with, and the view and pose of this other document.
    pub other: Option<(Document, View, Posed)>,
    pub areas: Option<Areas>,
}

impl Window {
    /// Opens a model as "walker.glb", with its first animation chosen and playback paused.
    pub fn new(model: Model) -> Self {
        let model = Arc::new(model);
        let view = View { animation: (!model.animations.is_empty()).then_some(0), ..View::default() };
        let mut transport = Transport::default();
        transport.pause();
        let document = Document::new(Arc::clone(&model), "walker.glb".into(), Some("/models/walker.glb".into()));
        let analyses = Analyses::new(&document, &view);
        Self {
            state: UiState::default(),
            document,
            analyses,
            undo: Undo::new(&view),
            view,
            transport,
            comparison: None,
            requests: Vec::new(),
            posed: Posed::new(&model),
            other: None,
            areas: None,
        }
    }

    /// Runs the steps of one frame in the order of the application, without advancing the clock.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.state.status.statistics.pixels_per_point = ui.pixels_per_point();
        theme::apply(ui.ctx(), &self.state.preferences, 1.0);
        let (panels, mut context) = self.split();
        let areas = layout::controls_ui(ui, panels, &mut context);
        self.analyses.update_scene(&self.document, &self.view);
        let moment = self.transport.moment();
        let roots = self.analyses.find_roots(&self.document, &self.view, &moment);
        pose::pose(&self.document.model, &self.view, moment, roots, &mut self.posed);
        let aspect = f64::from(areas.viewport.aspect_ratio());
        let camera = view_camera::camera(self.subject(), &self.posed, aspect);
        let (panels, mut context) = self.state.split(SharedState {
            document: &self.document,
            analyses: &self.analyses,
            view: &mut self.view,
            undo: &mut self.undo,
            transport: &mut self.transport,
            comparison: self.comparison.as_mut(),
            requests: &mut self.requests,
        });
        let other = self.other.as_ref().map(|(document, view, posed)| OtherPose { document, view, posed });
        let content = FrameContent { posed: &self.posed, other, camera: &camera };
        layout::readouts_ui(ui, panels, &mut context, &areas, &content);
        self.areas = Some(areas);
    }

    /// Replaces the open document.
    pub fn open(&mut self, mut document: Document) {
        document.mark_reload_of(&self.document);
        self.analyses = Analyses::new(&document, &self.view);
        self.document = document;
    }

    /// Shows another model as B beside the open one, with the numbers of their comparison.
    pub fn compare_with(&mut self, other: Model, side_names: [&str; 2]) {
        let other = Document::new(Arc::new(other), "other.glb".into(), None);
        let choices = Choices { animations: [Some(0); 2], ..Choices::default() };
        let found = compare(&self.document, &other, &choices, &|| true).expect("never canceled");
        self.comparison = Some(CompareStatus {
            kind: OtherKind::File,
            side_names: side_names.map(str::to_owned),
            model: other.model.clone(),
            names: other.names.clone(),
            choices: CompareChoices::default(),
            found: Some(Arc::new(found)),
            is_measuring: false,
            is_shown: true,
        });
        let mut posed = Posed::new(&other.model);
        solve::solve(&other.model, &self.view, 0.0, &mut posed);
        self.other = Some((other, self.view.clone(), posed));
    }

    pub fn subject(&self) -> Subject<'_> {
        Subject { document: &self.document, analyses: &self.analyses, view: &self.view }
    }

    /// Performs an action, whether it is enabled or not.
    pub fn perform(&mut self, action: Action) {
        let (panels, mut context) = self.split();
        perform::perform(action, panels, &mut context);
    }

    /// Performs an action if it is enabled; otherwise returns the reason why it is disabled.
    pub fn perform_if_available(&mut self, action: Action) -> Option<String> {
        let (panels, mut context) = self.split();
        perform::perform_if_available(action, panels, &mut context)
    }

    pub fn context(&mut self) -> Context<'_> {
        self.split().1
    }

    fn split(&mut self) -> (&mut PanelStates, Context<'_>) {
        self.state.split(SharedState {
            document: &self.document,
            analyses: &self.analyses,
            view: &mut self.view,
            undo: &mut self.undo,
            transport: &mut self.transport,
            comparison: self.comparison.as_mut(),
            requests: &mut self.requests,
        })
    }
}

/// Makes a harness with a window of `width` x `height` points at `scale` pixels per point, and runs the first frames.
pub fn harness(width: f32, height: f32, scale: f32, window: Window) -> Harness<'static, Window> {
    let mut harness = Harness::builder()
        .with_size([width, height])
        .with_pixels_per_point(scale)
        .with_context_setup(theme::install)
        .with_max_steps(20)
        .build_ui_state(|ui, window: &mut Window| window.ui(ui), window);
    harness.run();
    harness
}

/// Builds a skeleton of a root and four joints, a skinned mesh, a camera, and two animations with keys at 24 frames per second: "Walk" (82
/// frames) and "Wave" (24 frames).
pub fn walker() -> Model {
    let names = ["Root", "Hips", "Spine", "Head", "Leg", "Body", "Camera"];
    let parents = [None, Some(0), Some(1), Some(2), Some(1), Some(0), None];
    let ends = [6, 5, 4, 4, 5, 6, 7];
    let mut nodes: Vec<_> = names.iter().enumerate().map(|(i, name)| node(name, i)).collect();
    (nodes[5].mesh, nodes[5].skin, nodes[5].rigid_matrix) = (Some(0), Some(0), Some(4));
    nodes[6].camera = Some(0);
    let place = |y: f32| Trs { translation: Vec3A::new(0.0, y, 0.0), ..Trs::IDENTITY };
    let joints: Vec<_> = (1..5).map(NodeIndex).collect();
    Model {
        hierarchy: Hierarchy {
            parents: parents.iter().map(|parent| parent.map(NodeIndex)).collect(),
            subtree_ends: ends.to_vec(),
            rest: [0.0, 1.0, 0.5, 0.4, -0.5, 0.0, 0.0].map(place).to_vec(),
            fixed_local: vec![None; nodes.len()],
        },
        node_of_source: (0..nodes.len() as u32).map(NodeIndex).collect(),
        nodes,
        meshes: vec![Mesh { name: Some("Body".into()), primitives: vec![triangle()], ..Mesh::default() }],
        skins: vec![Skin { name: None, inverse_bind_matrices: vec![Affine3A::IDENTITY; joints.len()], joints, matrices: 0..4 }],
        animations: vec![walk("Walk", 82), walk("Wave", 24)],
        cameras: vec![Camera {
            name: Some("Portrait".into()),
            projection: Projection::Perspective { yfov: 0.8, aspect_ratio: None, znear: 0.1, zfar: None },
        }],
        scenes: vec![Scene { name: None, roots: vec![NodeIndex(0), NodeIndex(6)] }],
        default_scene: Some(0),
        palette_len: 5,
        findings: vec![finding(Severity::Info, "UNUSED_OBJECT"), finding(Severity::Warning, "ACCESSOR_WEIGHTS_NON_NORMALIZED")],
        ..Model::default()
    }
}

/// Builds a visible node.
fn node(name: &str, source: usize) -> Node {
    Node { name: Some(name.into()), source, visible: true, ..Node::default() }
}

/// Builds a primitive of one triangle without joints and weights.
fn triangle() -> Primitive {
    Primitive {
        source_vertex_count: 3,
        vertices: Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y * 2.0], ..Vertices::default() }.into(),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

/// Builds an animation that sways the hips along x by the sine of the time, with a key on every frame at 24 frames per second.
fn walk(name: &str, frames: usize) -> Animation {
    let times: Vec<f32> = (0..=frames).map(|frame| frame as f32 / 24.0).collect();
    let output = times.iter().flat_map(|time| [time.sin(), 1.0, 0.0]).collect();
    let target = Target::Translation(NodeIndex(1));
    Animation {
        name: Some(name.into()),
        duration: f64::from(frames as f32 / 24.0),
        key_times: vec![times],
        channels: vec![Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Linear, output, components: 3 }],
    }
}

/// Builds a finding about mesh 0.
fn finding(severity: Severity, code: &'static str) -> Finding {
    Finding { code, severity, pointer: "/meshes/0".into(), message: "Something was found.".into() }
}
