//! Copies the `sinew render` command that draws what the window shows.

use crate::app::App;
use crate::app::comparison::open_comparison::OpenComparison;
use crate::app::workers::exports::clip_export::SEQUENCE_NAMES;
use crate::colors;
use crate::compare::pairing;
use crate::export::render_command::{self, ComparedFlags, RenderCommand};
use crate::paths;
use crate::session::file::output_name::{clip_name, picture_name};
use crate::session::time::clip::{ClipFormat, ClipOptions};
use crate::ui::context::comparison::OtherKind;
use crate::ui::context::request::SaveKind;
use crate::ui::context::window_state::Dialog;
use crate::ui::dialogs::picture_size;
use crate::ui::style::theme;

impl App {
    /// Copies the `sinew render` command that draws the picture of the window, or exports `clip`. If flags alone cannot describe the view,
    /// offers to save the view to the file that the command names.
    pub(super) fn copy_command(&mut self, clip: Option<ClipOptions>) {
        let view_path = match self.default_path(SaveKind::View) {
            Ok(path) => path,
            Err(reason) => return self.show_message(format!("Cannot copy the render command: {reason}")),
        };
        let compared = self.compared_flags();
        let (Some(window), Some(open)) = (&mut self.window, &self.open) else { return };
        let Some(file) = &open.document.path else { return };
        let (document, view) = (&open.document, &self.view);
        let file = paths::absolute(file);
        let time = self.transport.time();
        // A sequence is a folder with numbered files.
        let output = match &clip {
            Some(options) => match clip_name(document, view, options) {
                folder if options.format == ClipFormat::Sequence => format!("{folder}/{SEQUENCE_NAMES}"),
                name => name,
            },
            None => picture_name(document, view, time),
        };
        let chosen_size = clip.map_or([0; 2], |options| [options.width, options.height]);
        let theme = theme::picture_colors(&window.egui);
        let command = RenderCommand {
            file: &file,
            document,
            view,
            compared: compared.as_ref(),
            time,
            clip: clip.as_ref().map(|options| (options, options.rate(document, view))),
            size: picture_size::size(chosen_size, &self.ui.status.statistics),
            // By default, the command draws on the background of the dark theme.
            background: (*theme != colors::DARK).then_some(theme.background),
            state: &view_path,
            output: &output,
        };
        let line = render_command::command_line(&command);
        let settings_without_flag = render_command::settings_without_flag(view, clip.is_some());
        let differences = render_command::differences(&command, self.ui.preferences.names, self.ui.preferences.units.length);
        window.input.set_clipboard_text(line);
        let differences = [differences, self.left_out(clip.is_some())].concat();
        if settings_without_flag.is_empty() {
            let differences: String = differences.iter().map(|difference| format!(", {difference}")).collect();
            self.show_message(format!("Copied the sinew render command for this view{differences}"));
        } else {
            // A clip begins with a clock of its own.
            let view = if clip.is_some() { self.view.clone() } else { render_command::view_to_save(&self.view, &self.transport.moment()) };
            self.ui.window.ask(Dialog::SaveForCommand { settings_without_flag, differences, path: view_path, view: Box::new(view) });
        }
    }

    /// The flags that draw the comparison. `None` if nothing is compared, or if B is an earlier version, which is no longer a file.
    fn compared_flags(&self) -> Option<ComparedFlags> {
        let (open, OpenComparison { status, other, .. }) = (self.open.as_ref()?, self.comparison.as_ref()?);
        let file = match status.kind {
            OtherKind::File => other.document.path.as_ref()?,
            OtherKind::SameFile => open.document.path.as_ref()?,
            OtherKind::PreviousVersion => return None,
        };
        let model = &open.document.model;
        let chosen = status.other_animation(model, &self.view);
        let counterpart = self.view.animation.and_then(|played| pairing::counterpart(model, &status.model, played).ok());
        Some(ComparedFlags {
            file: paths::absolute(file),
            layout: status.choices.layout,
            animation: chosen.filter(|_| chosen != counterpart),
            stretch: status.choices.timing.stretch,
            offset: status.choices.timing.offset,
        })
    }

    /// Names the parts of the picture that a render command cannot draw.
    fn left_out(&self, is_clip: bool) -> Vec<&'static str> {
        let is_in_memory = self.comparison.as_ref().is_some_and(|comparison| comparison.status.kind == OtherKind::PreviousVersion);
        let parts = [
            (!is_clip && self.transport.moment().fade.is_some(), "without the cross-fade"),
            (is_in_memory, "without the comparison: the previous version is no longer a file"),
        ];
        parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)).collect()
    }
}
