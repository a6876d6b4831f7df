//! The graphics adapter that the window draws with. The settings may name an adapter that is gone; then the window uses another one.

use crate::app::App;
use crate::model::label;
use crate::render::device::gpu::AdapterChoice;

/// The choice of the graphics adapter.
#[derive(Debug)]
pub struct WindowAdapter {
    choice: AdapterChoice,
    /// Whether the choice comes from the settings. An adapter that the command line names must exist.
    is_remembered: bool,
}

impl WindowAdapter {
    /// The adapter that the command line names (`named`), that the settings name (`remembered`), or that a safe start needs.
    pub fn new(named: Option<String>, remembered: Option<String>, safe: bool) -> Self {
        let is_remembered = named.is_none() && remembered.is_some();
        let choice = match named.or(remembered) {
            Some(name) => AdapterChoice::Named(name),
            None if safe => AdapterChoice::Safe,
            None => AdapterChoice::Best,
        };
        Self { choice, is_remembered }
    }

    /// Calls `open` with the choice. If it fails and the choice comes from the settings, calls it again for the best adapter, and keeps
    /// that choice. Also returns the name of the adapter that could not be opened.
    pub fn open<T, E>(&mut self, mut open: impl FnMut(&AdapterChoice) -> Result<T, E>) -> Result<(T, Option<String>), E> {
        match (open(&self.choice), &self.choice) {
            (Err(_), AdapterChoice::Named(name)) if self.is_remembered => {
                let missing = Some(name.clone());
                self.choice = AdapterChoice::Best;
                open(&self.choice).map(|opened| (opened, missing))
            }
            (opened, _) => opened.map(|opened| (opened, None)),
        }
    }
}

impl App {
    /// Says so if the adapter that the settings name could not be opened, so that another one is used. `missing` is its name.
    pub(crate) fn note_missing_adapter(&mut self, missing: Option<String>) {
        if let (Some(name), Some(window)) = (missing, &self.window) {
            let (name, used) = (label::clean(&name), &window.gpu.info.name);
            self.show_message(format!("The graphics adapter of the settings, {name}, cannot be used; Sinew uses {used}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens twice with only the best adapter present, and returns the results.
    fn open_twice(mut adapter: WindowAdapter) -> [Result<((), Option<String>), ()>; 2] {
        let mut open = || adapter.open(|choice| if *choice == AdapterChoice::Best { Ok(()) } else { Err(()) });
        [open(), open()]
    }

    #[test]
    fn only_an_adapter_that_the_settings_name_is_replaced_by_the_best_one() {
        let [first, second] = open_twice(WindowAdapter::new(None, Some("card".into()), false));
        assert_eq!((first, second), (Ok(((), Some("card".into()))), Ok(((), None))));
        assert_eq!(open_twice(WindowAdapter::new(Some("card".into()), Some("other".into()), false)), [const { Err(()) }; 2]);
        assert_eq!(open_twice(WindowAdapter::new(None, None, true)), [const { Err(()) }; 2]);
        assert_eq!(open_twice(WindowAdapter::new(None, None, false)), [const { Ok(((), None)) }; 2]);
    }
}
