//! Tests registering the file association for double clicks, and removing it, in a temporary home folder.
#![cfg(all(unix, not(target_os = "macos")))]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::cli::register::mimeapps::{with_default, without_default};
use sinew::cli::register::xdg::Folders;

use crate::common::skip::skip_outside_ci;

const GLB: &str = "model/gltf-binary";

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn folders(&self) -> Folders {
        Folders { data: self.folder.path().join("data"), config: self.folder.path().join("config") }
    }

    fn desktop_entry(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("data/applications/sinew.desktop")).unwrap()
    }

    fn write_defaults(&self, text: &str) {
        std::fs::create_dir_all(self.folder.path().join("config")).unwrap();
        std::fs::write(self.folder.path().join("config/mimeapps.list"), text).unwrap();
    }

    /// Returns all files except the caches of the system's tools.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.folder.path(), &mut found);
        found.retain(|path, _| !path.starts_with(self.folder.path().join("data/mime")) || path.to_string_lossy().contains("packages"));
        found.retain(|path, _| !path.ends_with("mimeinfo.cache"));
        found
    }

    /// Returns the output of a tool in this home folder, or `None` if it is not installed.
    fn ask(&self, tool: &str, args: &[&str]) -> Option<String> {
        let output = Command::new(tool)
            .args(args)
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.folders().data)
            .env("XDG_CONFIG_HOME", self.folders().config)
            .env("XDG_CURRENT_DESKTOP", "X-Generic")
            .env_remove("DISPLAY")
            .output();
        match output {
            Ok(output) => Some(String::from_utf8(output.stdout).unwrap().trim().to_owned()),
            Err(_) => {
                skip_outside_ci(&format!("{tool} is not installed"));
                None
            }
        }
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
}

#[test]
fn xdg_mime_answers_sinew_after_registering() {
    let home = Home::new();
    home.folders().register(Path::new(env!("CARGO_BIN_EXE_sinew"))).unwrap();
    for mime in [GLB, "model/gltf+json"] {
        if let Some(answer) = home.ask("xdg-mime", &["query", "default", mime]) {
            assert_eq!(answer, "sinew.desktop", "for {mime}");
        }
    }
}

#[test]
fn the_command_itself_registers_and_unregisters() {
    let home = Home::new();
    let before = home.files();
    let said = home.ask(env!("CARGO_BIN_EXE_sinew"), &["register"]).unwrap();
    assert!(said.contains(env!("CARGO_BIN_EXE_sinew")), "{said}");
    assert!(home.desktop_entry().contains("MimeType=model/gltf-binary;model/gltf+json;"));
    home.ask(env!("CARGO_BIN_EXE_sinew"), &["unregister"]).unwrap();
    assert_eq!(home.files(), before);
}

#[test]
fn all_extensions_have_the_registered_types() {
    let home = Home::new();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    for (name, expected) in [("model.glb", GLB), ("model.vrm", GLB), ("model.gltf", "model/gltf+json")] {
        let file = home.folder.path().join(name);
        std::fs::write(&file, "The type of an empty file is text/plain.").unwrap();
        let Some(said) = home.ask("gio", &["info", "-a", "standard::fast-content-type", file.to_str().unwrap()]) else { return };
        assert!(said.ends_with(&format!("standard::fast-content-type: {expected}")), "{said}");
    }
}

#[test]
fn registering_again_changes_nothing() {
    let home = Home::new();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    let once = home.files();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    assert_eq!(home.files(), once);
}

#[test]
fn unregistering_restores_the_previous_default_application() {
    let home = Home::new();
    home.write_defaults(
        "[Added Associations]\nimage/png=gimp.desktop;\n\n[Default Applications]\nmodel/gltf-binary=blender.desktop\n# mine\n",
    );
    let before = home.files();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    let during = std::fs::read_to_string(home.folder.path().join("config/mimeapps.list")).unwrap();
    assert!(during.contains("model/gltf-binary=sinew.desktop;blender.desktop\n"), "{during}");
    home.folders().unregister().unwrap();
    assert_eq!(home.files(), before);
}

/// The files that `install.sh` shares with a registration, in the same folder.
const INSTALLED: [(&str, &str); 4] = [
    ("applications/sinew.desktop", "sinew.desktop"),
    ("mime/packages/sinew-mime.xml", "sinew-mime.xml"),
    ("icons/hicolor/64x64/apps/sinew.png", "icon-64.png"),
    ("thumbnailers/sinew.thumbnailer", "package/sinew.thumbnailer"),
];

fn install(home: &Home) {
    for (file, asset) in INSTALLED {
        let file = home.folders().data.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(asset), file).unwrap();
    }
}

#[test]
fn unregistering_keeps_the_files_of_an_installation() {
    let home = Home::new();
    install(&home);
    let before = home.files();
    home.folders().register(Path::new("/opt/first")).unwrap();
    home.folders().register(Path::new("/opt/second")).unwrap();
    let entry = home.desktop_entry();
    assert!(entry.contains("\nExec=/opt/second %") && entry.matches("\nExec=").count() == 1, "{entry}");
    let thumbnailer = std::fs::read_to_string(home.folders().data.join("thumbnailers/sinew.thumbnailer")).unwrap();
    assert!(thumbnailer.contains("\nTryExec=/opt/second\nExec=/opt/second thumbnail "), "{thumbnailer}");
    home.folders().unregister().unwrap();
    assert_eq!(home.files(), before);
}

#[test]
fn an_installation_after_the_registration_stays_as_well() {
    let home = Home::new();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    install(&home);
    home.folders().unregister().unwrap();
    for (file, asset) in INSTALLED {
        let [found, expected] = [home.folders().data.join(file), Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(asset)];
        assert_eq!(std::fs::read(found).unwrap(), std::fs::read(expected).unwrap(), "{file}");
    }
    assert!(!home.folders().config.join("mimeapps.list").exists());
}

#[test]
fn registering_changes_only_the_command_of_an_entry_that_the_user_has_edited() {
    let home = Home::new();
    install(&home);
    let edited = home.desktop_entry().replace("Exec=sinew ", "Exec=env DRI_PRIME=1 sinew ");
    let edited = format!("{edited}Actions=help;\n\n[Desktop Action help]\nName=Help\nExec=sinew --help\n");
    std::fs::write(home.folders().data.join("applications/sinew.desktop"), &edited).unwrap();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    let entry = home.desktop_entry();
    assert!(entry.contains("\nExec=/opt/sinew %") && entry.contains("\nExec=sinew --help\n"), "{entry}");
    home.folders().unregister().unwrap();
    assert_eq!(home.desktop_entry(), edited);
}

#[test]
fn unregistering_without_a_registration_changes_nothing() {
    let home = Home::new();
    home.write_defaults("[Default Applications]\ntext/plain=vim.desktop\n");
    let before = home.files();
    home.folders().unregister().unwrap();
    assert_eq!(home.files(), before);
}

#[test]
fn a_symlinked_list_of_defaults_stays_a_symlink() {
    let home = Home::new();
    home.write_defaults("");
    let (list, real) = (home.folder.path().join("config/mimeapps.list"), home.folder.path().join("real.list"));
    std::fs::rename(&list, &real).unwrap();
    std::os::unix::fs::symlink(&real, &list).unwrap();
    home.folders().register(Path::new("/opt/sinew")).unwrap();
    assert!(list.is_symlink());
    assert!(std::fs::read_to_string(real).unwrap().contains("sinew.desktop"));
}

#[test]
fn the_thumbnailer_runs_the_registered_program() {
    for (program, try_exec, exec) in [
        ("/usr/bin/sinew", "/usr/bin/sinew", "/usr/bin/sinew"),
        ("/home/a b/50%/sinew", "/home/a b/50%/sinew", "\"/home/a b/50%%/sinew\""),
        (r"/a\b/sinew", r"/a\\b/sinew", r#""/a\\\\b/sinew""#),
    ] {
        let home = Home::new();
        home.folders().register(Path::new(program)).unwrap();
        let entry = std::fs::read_to_string(home.folders().data.join("thumbnailers/sinew.thumbnailer")).unwrap();
        let packaged = include_str!("../../assets/package/sinew.thumbnailer");
        assert!(entry.contains(&format!("\nTryExec={try_exec}\nExec={exec} thumbnail --size %s %i %o\n")), "{entry}");
        let other_lines = |text: &str| text.lines().filter(|line| !line.contains("Exec=")).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(other_lines(&entry), other_lines(packaged));
        home.folders().unregister().unwrap();
        assert!(home.files().is_empty(), "{:?}", home.files().keys());
    }
}

#[test]
fn the_program_path_is_quoted_when_needed() {
    let exec = |path: &str| {
        let home = Home::new();
        home.folders().register(Path::new(path)).unwrap();
        let entry = home.desktop_entry();
        entry.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap().to_owned()
    };
    assert_eq!(exec("/usr/bin/sinew"), "/usr/bin/sinew %F");
    assert_eq!(exec("/home/a b/sinew"), "\"/home/a b/sinew\" %F");
    assert_eq!(exec("/home/50%/sinew"), "/home/50%%/sinew %F");
    // Special characters are escaped for the argument, and each backslash is escaped again for the file.
    assert_eq!(exec("/a $\"\\/sinew"), r#""/a \\$\\"\\\\/sinew" %F"#);
}

#[test]
fn a_path_that_a_desktop_entry_cannot_express_is_refused() {
    let home = Home::new();
    assert!(home.folders().register(Path::new("/a\nb/sinew")).is_err());
    assert!(home.files().is_empty());
}

#[test]
fn the_desktop_entry_is_valid() {
    let home = Home::new();
    home.folders().register(Path::new("/opt/with blank/sinew")).unwrap();
    let entry = home.folders().data.join("applications/sinew.desktop");
    if let Some(said) = home.ask("desktop-file-validate", &[entry.to_str().unwrap()]) {
        assert_eq!(said, "");
    }
}

#[test]
fn the_list_of_defaults_keeps_other_entries() {
    for list in [
        "",
        "[Default Applications]\n",
        "# a\n[X]\nmodel/gltf-binary=no.desktop\n",
        "[Default Applications]\nmodel/gltf-binary=a.desktop;b.desktop;\n[Y]\n",
    ] {
        let with = with_default(list, GLB, "sinew.desktop");
        let first = with
            .lines()
            .skip_while(|line| *line != "[Default Applications]")
            .find_map(|line| line.strip_prefix("model/gltf-binary="))
            .unwrap();
        assert!(first.starts_with("sinew.desktop"), "{with}");
        assert_eq!(with_default(&with, GLB, "sinew.desktop"), with);
        let without = without_default(&with, GLB, "sinew.desktop");
        assert!(!without.contains("sinew"), "{without}");
        assert!(list == "[Default Applications]\n" || without == list, "{list:?} came back as {without:?}");
    }
}
