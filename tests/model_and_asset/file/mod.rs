//! Tests files as a whole: containers, archives, files of other formats, and hostile bytes.

mod container;
mod files;
mod foreign;
mod hostile;
mod zip;
