//! Recovers from a lost graphics device (its driver was updated or reset, the card was removed, a program hung it). Everything
//! on the device is gone, so a new device is set up, and the open model is uploaded again. A second loss within 30 seconds closes the
//! model, and a third one within 30 seconds ends the program.

use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use winit::event_loop::ActiveEventLoop;

use crate::render::device::gpu::AdapterChoice;
use crate::render::model::GpuModel;
use crate::session::document::ImageState;
use crate::ui::context::app_status::Failure;
use crate::ui::context::per_document::PerDocument;
use crate::ui::context::thumbnails::Thumbnails;

use crate::app::App;
use crate::app::crash_report;
use crate::app::documents::load_job::LoadReason;
use crate::app::frame::moving_picture::MovingPicture;
use crate::app::ids::DeviceNumber;

/// Losses closer together than this are assumed to have the same cause.
const SAME_CAUSE_DURATION: Duration = Duration::from_secs(30);

/// Times of the recent losses, including the last one.
#[derive(Debug, Default)]
pub struct DeviceLosses(Vec<Instant>);

/// The response to a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// The model is uploaded again.
    WithModel,
    /// The model is closed, because drawing it may have caused the loss.
    WithoutModel,
    /// The program ends.
    GiveUp,
}

impl DeviceLosses {
    /// Counts another loss, and decides how to recover.
    pub fn count(&mut self, now: Instant) -> Recovery {
        self.0.retain(|&loss| now.saturating_duration_since(loss) < SAME_CAUSE_DURATION);
        self.0.push(now);
        match self.0.len() {
            1 => Recovery::WithModel,
            2 => Recovery::WithoutModel,
            _ => Recovery::GiveUp,
        }
    }
}

impl App {
    /// Recovers from the loss of the device with this number. A loss of an older device was handled already.
    pub(crate) fn device_lost(&mut self, event_loop: &ActiveEventLoop, device: DeviceNumber, reason: &str) {
        let Some(window) = self.window.as_mut().filter(|window| window.device == device) else { return };
        log::warn!("the graphics device was lost: {reason}");
        let recovery = self.device_losses.count(Instant::now());
        let recreated = match recovery {
            Recovery::GiveUp => Err(anyhow!(
                "the graphics device was lost three times within 30 seconds: update the graphics driver, or open the window without it: \
                 sinew --safe"
            )),
            Recovery::WithModel | Recovery::WithoutModel => {
                let recreate = |adapter: &AdapterChoice| window.recreate_device(adapter, self.proxy.clone());
                self.adapter.open(recreate).context("the graphics device was lost")
            }
        };
        let missing_adapter = match recreated {
            Ok(((), missing)) => missing,
            Err(error) => {
                self.fatal = Some(error);
                return event_loop.exit();
            }
        };
        // The environment light was on the lost device. The next frame reads the panorama of the view again. A panorama that the user has
        // just chosen is not in the view yet, so it is read again here.
        let chosen_panorama = std::mem::take(&mut self.workers.environment).into_chosen();
        // The textures of the previews were on the lost device, too. The panels request them again.
        self.ui.status.previews = PerDocument::default();
        self.ui.status.thumbnails = Thumbnails::default();
        self.workers.load.stop_ahead();
        self.ui.status.statistics.adapter.clone_from(&window.gpu.info.name);
        crash_report::describe_adapter(&window.gpu.info);
        self.previous_version = None;
        if let Some(path) = chosen_panorama {
            self.read_environment(path);
        }
        if recovery == Recovery::WithModel {
            self.upload_open_model();
            // The other model of a comparison was on the lost device, too.
            self.restart_comparison();
        } else if let Some(open) = self.open.take() {
            self.stop_comparing();
            let message = "The graphics device was lost twice while this file was open, so the file was closed. It may be too heavy for \
                           the device, or the driver may need an update.";
            self.show_failure(Failure::new(open.document.name.clone(), message));
        }
        self.note_missing_adapter(missing_adapter);
    }

    /// Uploads the open model to the new device. Its textures are read from the file again.
    fn upload_open_model(&mut self) {
        let (Some(open), Some(window)) = (&mut self.open, &self.window) else { return };
        match GpuModel::new(&window.gpu, &open.document.model) {
            // What the pictures cost was measured on the lost device.
            Ok(gpu_model) => (open.gpu_model, open.moving) = (Arc::new(RwLock::new(gpu_model)), MovingPicture::default()),
            Err(error) => {
                let name = open.document.name.clone();
                self.open = None;
                return self.show_failure(Failure::new(name, error.to_string()));
            }
        }
        open.document.image_states.fill(ImageState::Pending);
        open.textures_lost = !open.document.image_states.is_empty();
        self.reload_lost_textures();
        self.show_message("Recovered from the loss of the graphics device".into());
    }

    /// Reads lost textures again, unless another file is being loaded: that file may replace the model.
    pub(crate) fn reload_lost_textures(&mut self) {
        let lost = self.open.as_mut().filter(|open| self.workers.load.job().is_none() && open.textures_lost);
        if lost.is_some_and(|open| std::mem::take(&mut open.textures_lost)) {
            self.read_again(LoadReason::Again);
        }
    }
}

/// Returns whether starting this load cancels a reload of lost textures without replacing it.
pub fn cancels_texture_reload(stopped: LoadReason, started: LoadReason, images: &[ImageState]) -> bool {
    stopped == LoadReason::Again && !started.is_reload() && images.contains(&ImageState::Pending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_textures_are_read_later_if_the_user_opens_another_file_meanwhile() {
        let lost = [ImageState::Failed, ImageState::Pending];
        assert!(cancels_texture_reload(LoadReason::Again, LoadReason::Opened, &lost));
        assert!(!cancels_texture_reload(LoadReason::Again, LoadReason::Opened, &[ImageState::Ready, ImageState::Failed]));
        assert!(!cancels_texture_reload(LoadReason::Opened, LoadReason::Opened, &lost), "they are still being decoded");
        assert!(!cancels_texture_reload(LoadReason::Again, LoadReason::Again, &lost));
    }

    #[test]
    fn the_second_loss_in_a_row_closes_the_model_and_the_third_ends_the_program() {
        let mut losses = DeviceLosses::default();
        let start = Instant::now();
        let mut count_after = |seconds| losses.count(start + Duration::from_secs(seconds));
        assert_eq!(count_after(0), Recovery::WithModel);
        assert_eq!(count_after(29), Recovery::WithoutModel);
        assert_eq!(count_after(58), Recovery::WithoutModel);
        assert_eq!(count_after(58), Recovery::GiveUp);
        assert_eq!(count_after(3600), Recovery::WithModel);
    }
}
