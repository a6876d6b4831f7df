//! Files of a session: the list that is stepped through, reloads, output names, the command that renders a view.

pub mod file_list;
pub mod output_name;
pub mod reload_policy;
pub mod remap;
pub mod render_command;
