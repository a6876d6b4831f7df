//! The graphics device was lost (its driver was updated or reset, the card went away, a program hung it): everything on it is
//! gone. It is set up anew, and the open model uploaded again. What is lost again at once is not tried for ever.

use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use winit::event_loop::ActiveEventLoop;

use crate::render::model::GpuModel;
use crate::session::document::ImageState;

use super::App;
use super::workers::environment::Environments;
use super::workers::load::LoadReason;

/// Losses less far apart have the same cause.
const SHORTLY: Duration = Duration::from_secs(30);

/// When the device was lost, as far as that still counts.
#[derive(Debug, Default)]
pub struct Losses(Vec<Instant>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    Again,
    /// Drawing the model may be what the device cannot bear.
    WithoutModel,
    GiveUp,
}

impl Losses {
    pub fn count(&mut self, now: Instant) -> Recovery {
        self.0.retain(|&then| now.saturating_duration_since(then) < SHORTLY);
        self.0.push(now);
        match self.0.len() {
            1 => Recovery::Again,
            2 => Recovery::WithoutModel,
            _ => Recovery::GiveUp,
        }
    }
}

impl App {
    pub(super) fn device_lost(&mut self, event_loop: &ActiveEventLoop, device: u64, reason: &str) {
        let Some(shell) = self.shell.as_mut().filter(|shell| shell.device == device) else { return };
        log::warn!("the graphics device was lost: {reason}");
        let recovery = self.losses.count(Instant::now());
        let renewed = match recovery {
            Recovery::GiveUp => {
                Err(anyhow!("the graphics device was lost three times within half a minute: its driver may need an update"))
            }
            Recovery::Again | Recovery::WithoutModel => shell.renew(self.proxy.clone()).context("the graphics device was lost"),
        };
        if let Err(error) = renewed {
            self.fatal = Some(error);
            return event_loop.exit();
        }
        self.environments = Environments::default();
        self.ui.status.statistics.adapter.clone_from(&shell.gpu.info.name);
        if recovery == Recovery::Again {
            self.upload_again();
        } else if let Some(open) = self.open.take() {
            let message = "the graphics device was lost twice while this was shown, so it was closed. It may be too much for the device \
                           or its driver";
            self.fail(open.document.name, message.into());
        }
    }

    /// What was on the lost device, on the new one. Textures are read from the file again.
    fn upload_again(&mut self) {
        let (Some(open), Some(shell)) = (&mut self.open, &self.shell) else { return };
        match GpuModel::new(&shell.gpu, &open.document.model) {
            Ok(gpu_model) => open.gpu_model = Arc::new(RwLock::new(gpu_model)),
            Err(error) => {
                let name = open.document.name.clone();
                self.open = None;
                return self.fail(name, error.to_string());
            }
        }
        open.document.image_states.fill(ImageState::Pending);
        open.textures_lost = !open.document.image_states.is_empty();
        self.fetch_lost_textures();
        self.note("The graphics device was lost and has been set up again".into());
    }

    /// Once nothing else is being read: what is shown may have given way by then.
    pub(super) fn fetch_lost_textures(&mut self) {
        let lost = self.open.as_mut().filter(|open| self.job.is_none() && open.textures_lost);
        if lost.is_some_and(|open| std::mem::take(&mut open.textures_lost)) {
            self.read_again(LoadReason::Again);
        }
    }
}

/// For the test of all this, in debug builds alone: the device is lost when the file of this name appears.
#[cfg(debug_assertions)]
pub fn lose_on_request(device: &wgpu::Device) {
    if std::env::var_os("SINEW_LOSE_DEVICE").is_some_and(|path| std::fs::remove_file(path).is_ok()) {
        device.destroy();
    }
}

/// Likewise: there is no room for the next model while the file of this name is there. Few drivers can be brought to say so.
#[cfg(debug_assertions)]
pub fn is_full_on_request() -> bool {
    std::env::var_os("SINEW_FULL_DEVICE").is_some_and(|path| std::path::Path::new(&path).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_loss_is_mended_a_second_shortly_after_closes_the_model_a_third_ends() {
        let mut losses = Losses::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(losses.count(at(0)), Recovery::Again);
        assert_eq!(losses.count(at(29)), Recovery::WithoutModel);
        assert_eq!(losses.count(at(58)), Recovery::WithoutModel);
        assert_eq!(losses.count(at(58)), Recovery::GiveUp);
        assert_eq!(losses.count(at(3600)), Recovery::Again);
    }
}
