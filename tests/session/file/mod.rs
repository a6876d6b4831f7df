//! Tests the files of a session: names, lists, the next file, and reloads.

mod file_list;
mod next_file;
mod output_name;
mod reload;
