//! The keys and values that `sinew register` writes to the registry of Windows, as plain data. All keys are below the key of the current
//! user.
//!
//! Sinew's own file type holds the command. Each extension lists this type among its choices and names it as the default. Windows uses the
//! default unless the user chose another program in Explorer: that choice is protected, and only the user can change it.

use std::path::Path;

use anyhow::Context;

/// Extensions to register for.
pub const EXTENSIONS: [&str; 3] = [".glb", ".gltf", ".vrm"];
/// Name of the type of files. Windows requires the form `Program.Type`.
pub const TYPE: &str = "Sinew.Model";
/// Keys that only Sinew uses. All keys below them belong to Sinew, too.
pub const OWN_KEYS: [&str; 3] = [r"Software\Classes\Sinew.Model", r"Software\Classes\Applications\sinew.exe", r"Software\Sinew"];
/// The list of programs in Settings > Apps > Default apps: its key, our value in it, and the key that the value refers to.
pub const PROGRAMS: (&str, &str, &str) = (r"Software\RegisteredApplications", "Sinew", r"Software\Sinew\Capabilities");

/// A text in the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path of the key, below the key of the current user.
    pub key: String,
    /// Name of the value; empty for the key's default value.
    pub name: String,
    pub text: String,
}

/// The key of an extension. Other programs write to it too.
pub fn extension_key(extension: &str) -> String {
    format!(r"Software\Classes\{extension}")
}

/// The key with the programs that can open an extension. Other programs write to it too.
pub fn choices_key(extension: &str) -> String {
    format!(r"Software\Classes\{extension}\OpenWithProgids")
}

/// All entries that make this executable a choice for the extensions. They do not make it the default.
pub fn entries(executable: &Path) -> anyhow::Result<Vec<Entry>> {
    let path = executable.to_str().filter(|path| !path.contains('"')).context("the path of this program is not valid Unicode")?;
    let entry = |key: &str, name: &str, text: &str| Entry { key: key.to_owned(), name: name.to_owned(), text: text.to_owned() };
    let [own_type, application, _] = OWN_KEYS;
    let (programs, program, capabilities) = PROGRAMS;
    let command = format!("\"{path}\" \"%1\"");
    let mut entries = vec![
        entry(own_type, "", "glTF model"),
        entry(&format!(r"{own_type}\DefaultIcon"), "", &format!("\"{path}\",0")),
        entry(&format!(r"{own_type}\shell\open"), "FriendlyAppName", "Sinew"),
        entry(&format!(r"{own_type}\shell\open\command"), "", &command),
        entry(application, "FriendlyAppName", "Sinew"),
        entry(&format!(r"{application}\shell\open\command"), "", &command),
        entry(capabilities, "ApplicationName", "Sinew"),
        entry(capabilities, "ApplicationDescription", env!("CARGO_PKG_DESCRIPTION")),
        entry(programs, program, capabilities),
    ];
    for extension in EXTENSIONS {
        entries.extend([
            entry(&choices_key(extension), TYPE, ""),
            entry(&format!(r"{application}\SupportedTypes"), extension, ""),
            entry(&format!(r"{capabilities}\FileAssociations"), extension, TYPE),
        ]);
    }
    Ok(entries)
}
