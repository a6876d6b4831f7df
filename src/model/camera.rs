//! A camera of the file (glTF 2.0, 3.10). Its place is that of the nodes which name it.

#[derive(Debug, Clone)]
pub struct Camera {
    pub name: Option<String>,
    pub projection: Projection,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// `yfov` in radians; `aspect_ratio` and `zfar` may be absent (the window's, infinite).
    Perspective { yfov: f32, aspect_ratio: Option<f32>, znear: f32, zfar: Option<f32> },
    /// Half the width and half the height of the view, in metres.
    Orthographic { xmag: f32, ymag: f32, znear: f32, zfar: f32 },
}
