//! Files of a session: the list to step through, reloads, output names, and the command line that renders a view.

pub mod borrowed_memory;
pub mod file_list;
pub mod folder;
pub mod natural_order;
pub mod next_file;
pub mod output_name;
pub mod reload_policy;
pub mod remap;
