//! A camera of the file (glTF 2.0, 3.10). It looks along -Z of the nodes that refer to it.

/// A camera of the file.
#[derive(Debug, Clone)]
pub struct Camera {
    /// The name in the file.
    pub name: Option<String>,
    /// The projection, with its planes.
    pub projection: Projection,
}

/// The projection of a camera. All distances are in meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// `yfov` is in radians. Without `aspect_ratio`, the aspect ratio of the window is used; without `zfar`, the far plane is infinitely
    /// far away.
    Perspective { yfov: f32, aspect_ratio: Option<f32>, znear: f32, zfar: Option<f32> },
    /// `xmag` and `ymag` are half the width and half the height of the view.
    Orthographic { xmag: f32, ymag: f32, znear: f32, zfar: f32 },
}

impl Projection {
    /// Returns whether these numbers define a projection.
    pub fn is_valid(&self) -> bool {
        let positive = |value: f32| value > 0.0 && value.is_finite();
        match *self {
            Self::Perspective { yfov, aspect_ratio, znear, zfar } => {
                let fits = positive(yfov) && yfov < std::f32::consts::PI && positive(znear) && aspect_ratio.is_none_or(positive);
                fits && zfar.is_none_or(|zfar| zfar > znear)
            }
            Self::Orthographic { xmag, ymag, znear, zfar } => {
                let size = |mag: f32| mag != 0.0 && mag.is_finite();
                size(xmag) && size(ymag) && znear >= 0.0 && zfar > znear && zfar.is_finite()
            }
        }
    }
}
