//! Writes a report when the program panics, and offers it at the next start. It stays on this computer.
//!
//! The panic hook cannot reach the window's state, so the window stores the facts for a report with [`describe_adapter`] and
//! [`describe_file`] whenever they change.

use std::backtrace::Backtrace;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::model::finding::Finding;
use crate::model::label;
use crate::ui::context::app_status::CrashReport;

use super::system_folders;

/// File name of a report that was not offered yet.
const NEW_FILE_NAME: &str = "crash-report.txt";
/// File name of a report after it was offered.
const OFFERED_FILE_NAME: &str = "last-crash-report.txt";
/// Maximum length of a report, in bytes. A panic message may quote data of a file.
const MAX_REPORT_BYTES: usize = 256 << 10;
/// Maximum number of findings in a report.
const MAX_FINDINGS: usize = 20;

/// The facts about the window that a report contains.
static FACTS: Mutex<Facts> = Mutex::new(Facts { adapter: String::new(), loading: None, file: String::new(), findings: Vec::new() });

struct Facts {
    /// Name and backend of the graphics adapter.
    adapter: String,
    /// Name of the file that is being loaded.
    loading: Option<String>,
    /// Name of the open file.
    file: String,
    /// The first findings of the open file.
    findings: Vec<String>,
}

/// Remembers the graphics adapter for a report.
pub fn describe_adapter(adapter: &wgpu::AdapterInfo) {
    let text = format!("{} ({}, driver {} {})", adapter.name, adapter.backend, adapter.driver, adapter.driver_info);
    FACTS.lock().unwrap_or_else(PoisonError::into_inner).adapter = text;
}

/// Remembers the name of the file that is being loaded for a report. `None` when no file is loading.
pub fn describe_loading(file: Option<&str>) {
    FACTS.lock().unwrap_or_else(PoisonError::into_inner).loading = file.map(|file| label::clean(file).into_owned());
}

/// Remembers the open file and its findings for a report. No file is loading then.
pub fn describe_file(file: &str, findings: &[Finding]) {
    let mut facts = FACTS.lock().unwrap_or_else(PoisonError::into_inner);
    facts.loading = None;
    facts.file = label::clean(file).into_owned();
    let line = |finding: &Finding| label::clean(&format!("{} {}: {}", finding.code, finding.pointer, finding.message)).into_owned();
    facts.findings = findings.iter().take(MAX_FINDINGS).map(line).collect();
}

/// Installs the hook that writes a report before the previous hook prints the panic. A panic of a worker thread leaves a report, too,
/// although the panic is caught.
pub fn install() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(folder) = system_folders::state() {
            let report = report(&panic.to_string(), &Backtrace::force_capture());
            // Nothing can be done about a failure here.
            let _ = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(NEW_FILE_NAME), report));
        }
        print(panic);
    }));
}

/// Takes the report of an earlier run. Renames the file, so that the report is offered only once.
pub fn take() -> Option<CrashReport> {
    let folder = system_folders::state()?;
    let path = folder.join(OFFERED_FILE_NAME);
    std::fs::rename(folder.join(NEW_FILE_NAME), &path).ok()?;
    let text = std::fs::read(&path).ok()?;
    let text = String::from_utf8_lossy(&text[..text.len().min(MAX_REPORT_BYTES)]).into_owned();
    Some(CrashReport { path, text })
}

/// The text of a report.
fn report(panic: &str, backtrace: &Backtrace) -> String {
    let mut text = system_facts();
    // Do not wait for the lock: if the panic happened while the facts were being stored, this thread holds it already.
    if let Ok(facts) = FACTS.try_lock() {
        let _ = writeln!(text, "Graphics: {}", facts.adapter);
        if let Some(loading) = &facts.loading {
            let _ = writeln!(text, "Loading: {loading}");
        }
        let _ = writeln!(text, "File: {}", facts.file);
        for finding in &facts.findings {
            let _ = writeln!(text, "  {finding}");
        }
    }
    if let Some(address) = program_address() {
        let _ = writeln!(text, "Program loaded at: {address:#x}");
    }
    // The long form has addresses. The packaged program has no symbols, so the names of its functions are unknown here.
    let _ = writeln!(text, "\n{panic}\n\n{backtrace:#}");
    text.truncate(text.floor_char_boundary(MAX_REPORT_BYTES));
    text
}

/// The address at which the program is loaded in memory. Subtracted from an address of a backtrace, it leaves an address that tools find in
/// the file with the symbols. `None` on systems other than Linux.
fn program_address() -> Option<u64> {
    let program = std::fs::read_link("/proc/self/exe").ok()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    // A line begins with the addresses and ends with the path. The lines are sorted by address.
    let line = maps.lines().find(|line| program.to_str().is_some_and(|path| line.ends_with(path)))?;
    u64::from_str_radix(line.split('-').next()?, 16).ok()
}

/// Version, operating system and processor, for reports and for the About page.
pub fn system_facts() -> String {
    let name = system_name().map(|name| format!(" ({name})")).unwrap_or_default();
    format!("Sinew {}\nSystem: {} {}{name}\n", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH)
}

/// The name of the Linux distribution; `None` on other systems.
fn system_name() -> Option<String> {
    let text = std::fs::read_to_string(Path::new("/etc/os-release")).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(label::clean(name.trim_matches('"')).into_owned())
}
