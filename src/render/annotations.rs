//! All that is drawn with the model and is no part of it: skeleton, motion trails, path and contacts, and what the line around the
//! selection encloses. The same for the window, which takes what is worked out already, and for pictures, which wait for it.

use std::sync::Arc;

use crate::session::document::Document;
use crate::session::gaits::Gaits;
use crate::session::motion::Motion;
use crate::session::posing::Posed;
use crate::session::sight::Sight;
use crate::session::trail;
use crate::session::transport::Moment;
use crate::session::view::View;

use super::overlay::Theme;
use super::skeleton::{self, Skeleton};
use super::{path, trail as drawn_trail};

/// A pose as it is looked at.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub posed: &'a Posed,
    pub moment: Moment,
    pub theme: &'a Theme,
    /// Of the picture, in points.
    pub sight: Sight,
}

#[derive(Default)]
pub struct Annotations {
    /// With the lines of all the others.
    pub skeleton: Skeleton,
    /// By node: whether there is a line around its mesh.
    pub outlined: Vec<bool>,
    /// What the trail is drawn from, where there is one.
    pub motion: Option<Arc<Motion>>,
}

impl Annotations {
    /// `wait`: for what is not worked out yet, which is missing otherwise and wanted.
    pub fn new(seen: &Seen, wait: bool) -> Self {
        let Seen { document, view, posed, moment, theme, .. } = *seen;
        let mut skeleton = skeleton::skeleton(document, view, posed, theme);
        let motion = trail::course(document, view, &moment).and_then(|course| match wait {
            true => document.motions.wait_for(&document.model, &document.prepared, &document.roots, &course),
            false => document.motions.get(&course),
        });
        let gait = Gaits::is_drawn(view).then(|| match wait {
            true => document.gaits.wait_for(document, view, &moment),
            false => document.gaits.get(document, view, &moment),
        });
        if let Some(gait) = gait.flatten() {
            skeleton.lines.extend(path::lines(seen, &gait));
        }
        // Over the path: its colours and dots say more.
        if let Some(motion) = &motion {
            skeleton.lines.extend(drawn_trail::lines(seen, motion));
        }
        Self { skeleton, outlined: skeleton::outlined(document, view), motion }
    }
}
