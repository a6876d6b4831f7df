//! What winit tells of the window and of the threads, and who it goes to: keys become actions, dropped files are opened.

use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

use crate::asset::file::panorama;
use crate::ui::actions::action::Action;
use crate::ui::actions::keys::{self, Key, Route};
use crate::ui::actions::table;

use super::pacing::Pacing;
use super::window::Shell;
use super::worker_events::AppEvent;
use super::workers::file_watcher::{Request, WatchMessage};
use super::workers::load::{self, Source};
use super::{App, key_input};

impl ApplicationHandler<AppEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_some() {
            return;
        }
        match Shell::new(event_loop, self.settings.window, self.proxy.clone()) {
            Ok(shell) => {
                let monitor = shell.window.current_monitor();
                self.pacing = Pacing::new(monitor.and_then(|monitor| monitor.refresh_rate_millihertz()));
                self.ui.status.statistics.adapter = shell.gpu.info.name.clone();
                self.shell = Some(shell);
                if let Some(read) = self.waiting.take() {
                    self.read(read);
                }
                self.ask_frame();
            }
            Err(error) => {
                self.fatal = Some(error);
                event_loop.exit();
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. })
            && let Some(shell) = &self.shell
        {
            shell.window.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: AppEvent) {
        // A frame of a heavy model would keep the processor from what is being read; when that is there, it is shown.
        let shows_nothing = matches!(event, AppEvent::Read(_) | AppEvent::Changed(Request::Read { .. }));
        match event {
            AppEvent::Changed(request) => self.changed(request),
            AppEvent::DeviceLost { device, reason } => self.device_lost(event_loop, device, &reason),
            AppEvent::Read(read) => self.read(read),
            AppEvent::Ready(ready) => self.ready(*ready),
            AppEvent::Failed { job, message } => self.failed(job, message),
            AppEvent::Image { job, index, image } => self.image(job, index, image),
            AppEvent::FileChosen(Some(path)) => self.show(Source::File { path, beside: Vec::new() }),
            // The frame that is asked for below is all there is to do.
            AppEvent::PipelineMade | AppEvent::WeightsLookedAt => {}
            AppEvent::FileChosen(None) | AppEvent::PlaceChosen { path: None, .. } => {}
            AppEvent::PlaceChosen { saving, path: Some(path), asked } => self.save(saving, path, asked),
            AppEvent::EnvironmentChosen(path) => self.read_environment(path),
            AppEvent::EnvironmentRead(read) => self.environment_read(read),
            AppEvent::NoDialog(dialog) => self.no_dialog(dialog),
            AppEvent::Saved(saved) => self.saved(saved),
            AppEvent::Exported(saved) => {
                self.exported();
                self.saved(saved);
            }
            AppEvent::Sampled(sampled) => self.sampled(*sampled),
            AppEvent::Measured(measured) => self.measured(*measured),
            AppEvent::Fonts(found) => self.take_fonts(found),
            AppEvent::Access(event) => self.access(event),
        }
        if !shows_nothing {
            self.ask_frame();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, mut event: WindowEvent) {
        match &event {
            WindowEvent::CloseRequested => return self.quit(event_loop),
            WindowEvent::RedrawRequested => return self.frame(event_loop),
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. } if self.take_key(key) => return,
            WindowEvent::HoveredFile(path) => {
                self.ui.status.hovered_files.push(load::file_name(path));
            }
            WindowEvent::HoveredFileCancelled => self.ui.status.hovered_files.clear(),
            // One event a file: they are taken together when all have come.
            WindowEvent::DroppedFile(path) => self.dropped.push(path.clone()),
            WindowEvent::Occluded(occluded) => {
                self.occluded = *occluded;
                self.ask_frame();
            }
            // Where the system does not tell that a file was changed from elsewhere, it is seen when a person comes back.
            WindowEvent::Focused(true) => self.watching.tell(WatchMessage::Look),
            _ => {}
        }
        let Some(shell) = &mut self.shell else { return };
        match &mut event {
            WindowEvent::Resized(size) => shell.resize(*size),
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => shell.rescale(*scale_factor, inner_size_writer),
            _ => {}
        }
        let response = shell.input.on_window_event(&shell.window, &event);
        if response.repaint
            || matches!(event, WindowEvent::HoveredFile(_) | WindowEvent::HoveredFileCancelled | WindowEvent::DroppedFile(_))
        {
            self.ask_frame();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.take_dropped();
        let now = Instant::now();
        let due = [self.pacing.due(), self.settings_due, self.note_until].into_iter().flatten().min();
        match due {
            Some(due) if due <= now => {
                if let Some(shell) = &self.shell {
                    shell.window.request_redraw();
                }
                // Until the frame has been drawn there is nothing to wait for.
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(due) => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.remember_stay();
        self.keep_settings(Instant::now());
        if self.settings_due.is_some() {
            self.write_settings(true);
        }
        if let Some(export) = self.export.take() {
            export.end();
        }
        // A picture that was asked for is written before the process ends.
        for (_, save) in self.saves.drain(..) {
            let _ = save.join();
        }
    }
}

impl App {
    /// The key's action, unless a text field or a list wants it. True: egui must not see it.
    fn take_key(&mut self, event: &KeyEvent) -> bool {
        let Some(shell) = &self.shell else { return false };
        let Some(key) = key_input::key(event) else { return false };
        // What is typed after Ctrl+K is for the palette, also where that is not there yet.
        if self.actions.contains(&Action::Commands) {
            return false;
        }
        let route = keys::route(&shell.egui, self.ui.window.list_focused);
        let modifiers = key_input::modifiers(self.modifiers);
        let arrow = matches!(key, Key::Left | Key::Right | Key::Up | Key::Down);
        let for_egui = match route {
            Route::Front => true,
            Route::Text => keys::is_for_text(key, modifiers),
            Route::List => arrow && !modifiers.command && !modifiers.alt,
            Route::Table => false,
        } || self.actions.iter().any(|action| action.takes_text());
        if for_egui {
            return false;
        }
        let Some(action) = table::find(key, modifiers) else { return false };
        // Of a held key only what makes sense repeated is repeated.
        if event.state == ElementState::Pressed && (!event.repeat || action.repeats()) {
            self.actions.push(action);
            self.ask_frame();
        }
        true
    }

    fn take_dropped(&mut self) {
        if self.dropped.is_empty() {
            return;
        }
        self.ui.status.hovered_files.clear();
        let dropped = std::mem::take(&mut self.dropped);
        // Of several the last: one gives the light.
        let (mut panoramas, models): (Vec<_>, Vec<_>) = dropped.into_iter().partition(|path| panorama::is_panorama(path));
        if let Some(path) = panoramas.pop() {
            self.read_environment(path);
        }
        if !models.is_empty() {
            self.open_given(&models);
        }
    }
}
