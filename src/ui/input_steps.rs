//! Divides the input of a frame into steps, each for one run of the panels. In each run, egui looks for the widget under the pointer only
//! at the pointer's last position, and misses a drag that ends within the run. So without steps, a slow frame would lose a press that is
//! followed by moves.

use egui::Event;

use super::actions::Action;

/// Input for one run of the panels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputStep {
    /// Actions of the pressed keys. They are performed before the panels see the events.
    pub actions: Vec<Action>,
    pub events: Vec<Event>,
}

/// The action of a pressed key, and its position among the events of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedAction {
    pub action: Action,
    /// Number of events of the frame that precede the action.
    pub events_before: usize,
}

/// The steps of a frame, in the order of the input. There is at least one. A step ends after a pointer button is pressed or released. A
/// release that follows a move starts a new step, and so does an action that follows pointer events.
pub fn steps(events: Vec<Event>, actions: &[PlacedAction]) -> Vec<InputStep> {
    let (mut steps, mut step) = (Vec::new(), InputStep::default());
    let mut actions = actions.iter().peekable();
    for (number, event) in events.into_iter().enumerate() {
        while let Some(placed) = actions.next_if(|placed| placed.events_before <= number) {
            push_action(&mut steps, &mut step, placed.action);
        }
        let is_release = matches!(event, Event::PointerButton { pressed: false, .. });
        if step.ends_with_button() || is_release && step.has_move() {
            steps.push(std::mem::take(&mut step));
        }
        step.events.push(event);
    }
    actions.for_each(|placed| push_action(&mut steps, &mut step, placed.action));
    steps.push(step);
    steps
}

/// Adds an action to the step, or to a new one if the step has pointer events.
fn push_action(steps: &mut Vec<InputStep>, step: &mut InputStep, action: Action) {
    if step.ends_with_button() || step.has_move() {
        steps.push(std::mem::take(step));
    }
    step.actions.push(action);
}

impl InputStep {
    fn ends_with_button(&self) -> bool {
        matches!(self.events.last(), Some(Event::PointerButton { .. }))
    }

    fn has_move(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::PointerMoved(_)))
    }
}
