//! Finds what is under the pointer. If the meshes there have many vertices, the GPU searches, and the answer comes in a later frame.

use std::collections::BTreeSet;

use glam::DVec2;

use crate::camera::Camera;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::inspect::heat_map;
use crate::session::pick;
use crate::session::pick::vertex::{self, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastDocument};

/// If the meshes near the pointer have at least this many vertices, a search on the CPU takes too long for a frame.
pub(crate) const MAX_CPU_PICK_VERTICES: usize = 20_000;

/// The posed model and its projection to the viewport.
#[derive(Clone, Copy)]
pub struct ProjectedPose<'a> {
    pub posed: &'a Posed,
    pub projection: &'a ScreenProjection,
}

/// A query for the visible vertex at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickQuery {
    /// The position in points from the viewport's top left corner.
    pub point: DVec2,
    camera: Camera,
    /// The time of the pose, in seconds.
    time: f64,
    /// [`PickQueries::revision`] when the query was made.
    revision: u64,
}

/// The GPU's answer to a query.
enum PickAnswer {
    /// The GPU is still searching.
    Pending,
    /// There is no vertex at the point.
    Nothing,
    Vertex(Vertex),
}

/// The queries of the panels, and the GPU's answers.
#[derive(Debug, Clone, Default)]
pub struct PickQueries {
    /// Whether the application can search on the GPU. Otherwise the CPU does all searches.
    has_device: bool,
    /// The next query for the GPU.
    next: Option<PickQuery>,
    /// The query that the GPU is answering.
    pending: Option<PickQuery>,
    /// The last answer.
    answer: Option<(PickQuery, Option<Vertex>)>,
    document: LastDocument,
    /// Whether a click waits for its answer. Hovering then sends no query.
    pub click_waits: bool,
    /// The view that answers are valid for.
    view: View,
    /// A number that increases when the model or the view changes. Answers to queries with a lower number are out of date.
    revision: u64,
}

impl PickQueries {
    /// Begins a frame, in which the panels may make a query. `has_device` is whether the application can search on the GPU.
    pub fn begin_frame(&mut self, has_device: bool) {
        (self.has_device, self.next) = (has_device, None);
    }

    /// The query that the panels made in this frame.
    pub fn requested(&self) -> Option<&PickQuery> {
        self.next.as_ref()
    }

    /// Records that the GPU is answering a query: the query of this frame, unless an earlier one has no answer yet.
    pub fn await_answer(&mut self) {
        self.pending = self.pending.or(self.next);
    }

    /// Receives the answer to the query that the GPU was answering. `None` if no vertex was found.
    pub fn receive(&mut self, vertex: Option<Vertex>) {
        self.answer = self.pending.take().map(|query| (query, vertex));
    }

    /// Discards answers about another model, pose or view.
    pub fn update(&mut self, document: &Document, view: &View) -> DocumentChange {
        let change = self.document.update(document);
        if change != DocumentChange::Same {
            self.start_revision(view);
        }
        // The selection does not change which vertex is hit, and each query has its own camera.
        self.view.selection.clone_from(&view.selection);
        self.view.camera = view.camera;
        if self.view != *view {
            self.start_revision(view);
        }
        change
    }

    /// Makes earlier answers invalid.
    fn start_revision(&mut self, view: &View) {
        self.view = view.clone();
        self.revision += 1;
        (self.next, self.answer) = (None, None);
    }

    /// The query about a point of the current picture.
    pub fn query_at(&self, context: &Context, projection: &ScreenProjection, point: DVec2) -> PickQuery {
        PickQuery { point, camera: projection.camera, time: context.transport.time(), revision: self.revision }
    }

    /// Returns whether a query is about the current model and view.
    pub fn is_current(&self, query: &PickQuery) -> bool {
        query.revision == self.revision
    }

    /// Returns whether the GPU must find the vertex, because a search on the CPU would take too long.
    fn needs_gpu(&self, document: &Document, pose: ProjectedPose, point: DVec2) -> bool {
        self.has_device && pick::vertices_under(document, pose.posed, pose.projection, point) >= MAX_CPU_PICK_VERTICES
    }

    /// The GPU's answer to a query. If there is none yet, the query is sent.
    fn answer_or_send(&mut self, query: PickQuery) -> PickAnswer {
        match self.answer.filter(|(answered, _)| *answered == query) {
            Some((_, Some(vertex))) => PickAnswer::Vertex(vertex),
            Some((_, None)) => PickAnswer::Nothing,
            None => {
                self.next = Some(query);
                PickAnswer::Pending
            }
        }
    }

    /// The nodes under a click: visible joints; while weights are shown, the joints that move the surface there, greatest weight first;
    /// then the meshes. `None` while the GPU answers the query for a model with many vertices. If `all` is true, the list includes nodes
    /// behind the first one.
    pub fn nodes_under(&mut self, context: &Context, pose: ProjectedPose, query: PickQuery, all: bool) -> Option<Vec<NodeIndex>> {
        let ProjectedPose { posed, projection } = pose;
        let (document, point) = (context.document, query.point);
        let mut found = pick::joints_under(document, context.view, posed, projection, point);
        if heat_map::mode(document, context.view).is_some() {
            let vertex = match self.needs_gpu(document, pose, point) {
                true => match self.answer_or_send(query) {
                    PickAnswer::Pending => return None,
                    PickAnswer::Nothing => None,
                    PickAnswer::Vertex(vertex) => vertex::vertex_around(document, posed, projection, point, vertex),
                },
                false => vertex::vertex_under(document, context.view, posed, projection, point),
            };
            if let Some(probed) = vertex.and_then(|vertex| vertex::probe(document, posed, vertex)) {
                found.extend(probed.joints.iter().map(|(joint, _)| *joint));
                found.push(probed.vertex.node);
            }
            let mut seen = BTreeSet::new();
            found.retain(|node| seen.insert(*node));
            return Some(found);
        }
        if all || !self.needs_gpu(document, pose, point) {
            return Some(pick::under(document, context.view, posed, projection, point));
        }
        if !found.is_empty() {
            return Some(found);
        }
        match self.answer_or_send(query) {
            PickAnswer::Pending => None,
            PickAnswer::Nothing => Some(Vec::new()),
            PickAnswer::Vertex(vertex) => Some(vec![vertex.node]),
        }
    }

    /// The vertex at a point. For a model with many vertices, this is the GPU's last answer until a newer answer arrives.
    pub fn vertex_at(&mut self, context: &Context, pose: ProjectedPose, point: DVec2) -> Option<Vertex> {
        let ProjectedPose { posed, projection } = pose;
        let query = self.query_at(context, projection, point);
        if !self.needs_gpu(context.document, pose, point) {
            return vertex::vertex_under(context.document, context.view, posed, projection, point);
        }
        // A click that waits for its answer takes precedence.
        if self.answer.is_none_or(|(answered, _)| answered != query) && !self.click_waits {
            self.next = Some(query);
        }
        let (answered, vertex) = self.answer?;
        vertex::vertex_around(context.document, posed, projection, point, vertex.filter(|_| self.is_current(&answered))?)
    }
}
