//! Why Draco data cannot be decoded, and in which part of it the reason lies.

use thiserror::Error;

/// Completes "mesh 3 "Hair", primitive 0: its Draco data ...".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DracoError {
    #[error("do not begin with DRACO")]
    Magic,
    #[error("are of version {major}.{minor}; this program reads 2.0 to 2.2")]
    Version { major: u8, minor: u8 },
    #[error("hold a point cloud, not triangles")]
    PointCloud,
    #[error("end within {place}")]
    End { place: &'static str },
    #[error("are damaged in {place}: {what}")]
    Damaged { place: &'static str, what: &'static str },
    #[error("have {number} for {what}, which is unknown")]
    Unknown { what: &'static str, number: i32 },
    #[error("unpack to more than the {most} bytes that a file of this size may")]
    Budget { most: u64 },
}
