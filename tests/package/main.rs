//! Tests the packages that `scripts/package` makes: their files, their metadata, and the .deb in a clean Debian.
//!
//! Thumbnails are made by the programs that make them on a desktop, and the parts for macOS and Windows run with stand-ins for the tools of
//! those systems.
//!
//! Needs Linux with the packages in `scripts/packages.sh`. Without them, tests are skipped with a message; with `CI` set, they fail. The
//! clean Debian also needs root and a mirror, and is skipped with a message without them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

mod other_systems;
#[path = "../common/skip.rs"]
mod skip;
mod thumbnailers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use skip::{skip, skip_outside_ci};

/// Release of Debian that the .deb is installed into.
const RELEASE: &str = "bookworm";

/// The folder with the packages of the tested binary, made once for all tests.
static PACKAGES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let _ = std::fs::remove_dir_all(&folder);
    // A setting of some shells, and a temporary folder with a blank in its path.
    let temporary = tempfile::tempdir().unwrap();
    let with_blank = temporary.path().join("a b");
    std::fs::create_dir(&with_blank).unwrap();
    let mut command = Command::new("bash");
    command.arg("scripts/package").current_dir(root()).env("CDPATH", ".").env("TMPDIR", &with_blank);
    // The tested binary is large. Good compression would take longer than all other tests of the packages together.
    command.env("XZ_OPT", "-0").env("DPKG_DEB_COMPRESSOR_LEVEL", "0");
    run(command.arg("--binary").arg(env!("CARGO_BIN_EXE_sinew")).arg("--output").arg(&folder));
    folder
});

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command, which must succeed. Returns its output.
fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(status.success(), "{command:?}: {status}\n{}\n{}", text(&stdout), text(&stderr));
    text(&stdout)
}

/// Returns whether all tools are installed. If not, the test is skipped, or fails in CI.
fn has_tools(tools: &[&str]) -> bool {
    let is_missing = |tool: &&&str| Command::new(tool).arg("--version").output().is_err();
    let missing: Vec<_> = tools.iter().filter(is_missing).collect();
    if !missing.is_empty() {
        skip_outside_ci(&format!("{missing:?} are not installed"));
    }
    missing.is_empty()
}

/// The package with this file extension.
fn package(extension: &str) -> PathBuf {
    let files = std::fs::read_dir(&*PACKAGES).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Unpacks the archive into a folder. Returns the folder that it contains.
fn unpack(folder: &Path) -> PathBuf {
    run(Command::new("tar").arg("-xJf").arg(package("xz")).arg("-C").arg(folder));
    std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

/// The files that a package must install, below /usr.
fn required_files() -> Vec<String> {
    let icons = [16, 24, 32, 48, 64, 128, 256, 512].map(|size| format!("share/icons/hicolor/{size}x{size}/apps/sinew.png"));
    let others = [
        "bin/sinew",
        "share/applications/sinew.desktop",
        "share/mime/packages/sinew-mime.xml",
        "share/metainfo/example.sinew.Sinew.metainfo.xml",
        "share/thumbnailers/sinew.thumbnailer",
        "share/icons/hicolor/scalable/apps/sinew.svg",
        "share/man/man1/sinew.1.gz",
        "share/man/man1/sinew-render.1.gz",
        "share/bash-completion/completions/sinew",
        "share/fish/vendor_completions.d/sinew.fish",
        "share/doc/sinew/checks.md",
        "share/doc/sinew/command-line.md",
    ];
    others.map(str::to_owned).into_iter().chain(icons).collect()
}

#[test]
fn every_package_has_all_files() {
    if !has_tools(&["dpkg-shlibdeps", "rpmbuild", "rpm", "xz"]) {
        return;
    }
    let deb = run(Command::new("dpkg-deb").arg("--contents").arg(package("deb")));
    let rpm = run(Command::new("rpm").arg("-qlp").arg(package("rpm")));
    let tar = run(Command::new("tar").arg("-tJf").arg(package("xz")));
    let program_files = |listing: &str, prefix: &str| -> BTreeSet<String> {
        let paths = listing.lines().filter_map(|line| line.split_once(prefix)).map(|(_, path)| path);
        // The licenses and the list of changes have other names in each package.
        let is_common = |path: &&str| !path.starts_with("share/doc/") || path.ends_with(".md") && !path.ends_with("/CHANGELOG.md");
        let files = paths.filter(|path| !path.ends_with('/')).filter(is_common);
        files.filter(|path| path.starts_with("bin/") || path.starts_with("share/")).map(str::to_owned).collect()
    };
    let (mut deb, rpm, tar) = (program_files(&deb, " ./usr/"), program_files(&rpm, "/usr/"), program_files(&tar, "-linux/"));
    for file in required_files() {
        assert!(tar.contains(&file), "{file} is missing in {tar:?}");
    }
    // Debian has another folder for the completions of zsh.
    assert!(deb.remove("share/zsh/vendor-completions/_sinew"));
    deb.insert("share/zsh/site-functions/_sinew".to_owned());
    assert_eq!(deb, tar);
    assert_eq!(rpm, tar);
}

#[test]
fn the_packages_depend_on_libraries_that_the_program_loads_and_on_a_driver_for_them() {
    if !has_tools(&["dpkg-shlibdeps", "rpmbuild", "rpm"]) {
        return;
    }
    let program = std::fs::read(env!("CARGO_BIN_EXE_sinew")).unwrap();
    let required = run(Command::new("rpm").args(["-qp", "--requires"]).arg(package("rpm")));
    // rpmbuild adds the libraries that the program is linked with. Their names have a version in parentheses, or come without one, too.
    let loaded: Vec<&str> = required.lines().filter_map(|line| line.strip_suffix("()(64bit)")).filter(|line| !line.contains('(')).collect();
    assert!(loaded.contains(&"libvulkan.so.1") && loaded.contains(&"libX11.so.6"), "{required}");
    for name in loaded {
        assert!(program.windows(name.len()).any(|bytes| bytes == name.as_bytes()), "the program does not load {name}");
    }
    // Names of Fedora's packages, which openSUSE does not have.
    for name in ["vulkan-loader", "libX11", "mesa-vulkan-drivers"] {
        assert!(!required.lines().any(|line| line == name), "{required}");
    }
    let depends = run(Command::new("dpkg-deb").arg("--field").arg(package("deb")).arg("Depends"));
    let groups: Vec<&str> = depends.trim().split(", ").collect();
    // A Vulkan loader without a driver, or a GL driver without EGL, would satisfy looser dependencies.
    assert!(groups.contains(&"libvulkan1") && groups.contains(&"mesa-vulkan-drivers | vulkan-icd"), "{depends}");
    assert!(!depends.contains("libgl1-mesa-dri"), "{depends}");
}

#[test]
fn the_rpm_has_the_date_of_the_last_commit_and_no_trace_of_the_machine() {
    if !has_tools(&["dpkg-shlibdeps", "rpmbuild", "rpm", "git"]) {
        return;
    }
    let committed = run(Command::new("git").arg("-C").arg(root()).args(["log", "-1", "--format=%ct"]));
    let query = |format| run(Command::new("rpm").args(["-qp", "--queryformat", format]).arg(package("rpm")));
    assert_eq!(query("%{BUILDTIME}"), committed.trim());
    assert_eq!(query("%{BUILDHOST}"), "localhost");
    let dates: BTreeSet<String> = query("[%{FILEMTIMES}\n]").lines().map(str::to_owned).collect();
    assert_eq!(dates, BTreeSet::from([committed.trim().to_owned()]));
}

#[test]
fn the_symbols_of_the_packaged_program_are_in_a_file_of_their_own() {
    if !has_tools(&["xz", "nm", "readelf"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = unpack(folder.path()).join("bin/sinew");
    let symbols = package("debug");
    let build_id = |file: &Path| {
        run(Command::new("readelf").arg("--notes").arg(file)).lines().find(|line| line.contains("Build ID")).map(str::to_owned)
    };
    assert!(build_id(&program).is_some());
    assert_eq!(build_id(&symbols), build_id(&program));
    let has_main = |file: &Path| run(Command::new("nm").arg(file)).contains(" main\n");
    assert!(has_main(&symbols) && !has_main(&program));
}

#[test]
fn the_rpm_installs_every_file_into_an_empty_root_and_removes_it() {
    if !has_tools(&["dpkg-shlibdeps", "rpmbuild", "rpm"]) {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let rpm = || {
        let mut command = Command::new("rpm");
        command.arg("--root").arg(root.path());
        command
    };
    run(rpm().arg("--initdb"));
    // The empty root has no packages, so the dependencies cannot be checked here.
    run(rpm().args(["--install", "--nodeps"]).arg(package("rpm")));
    for file in required_files() {
        assert!(root.path().join("usr").join(&file).is_file(), "{file} is not installed");
    }
    run(rpm().args(["--verify", "--nodeps", "sinew"]));
    let version = run(Command::new(root.path().join("usr/bin/sinew")).arg("--version"));
    assert_eq!(version.trim(), concat!("sinew ", env!("CARGO_PKG_VERSION")));
    run(rpm().args(["--erase", "--nodeps", "sinew"]));
    assert_eq!(run(Command::new("find").arg(root.path().join("usr")).args(["-name", "*sinew*"])), "");
}

#[test]
fn the_metadata_is_valid() {
    if !has_tools(&["desktop-file-validate", "appstreamcli", "lintian", "dpkg-shlibdeps"]) {
        return;
    }
    run(Command::new("desktop-file-validate").arg(root().join("assets/sinew.desktop")));
    run(Command::new("appstreamcli").args(["validate", "--no-net"]).arg(root().join("assets/package/example.sinew.Sinew.metainfo.xml")));
    run(Command::new("lintian").args(["--fail-on", "error", "--allow-root"]).arg(package("deb")));
}

#[test]
fn the_archive_installs_into_a_home_and_leaves_nothing_when_removed() {
    if !has_tools(&["xz"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unpacked = unpack(folder.path());
    let (home, install) = (folder.path().join("home with spaces"), unpacked.join("install.sh"));
    run(Command::new(unpacked.join("bin/sinew")).arg("--version"));
    run(Command::new(&install).env("PREFIX", &home));
    let version = run(Command::new(home.join("bin/sinew")).arg("--version"));
    assert_eq!(version.trim(), concat!("sinew ", env!("CARGO_PKG_VERSION")));
    for file in required_files() {
        assert!(home.join(&file).is_file(), "{file} is not installed");
    }
    // The next version can be installed while the program runs. Any program will do.
    run(Command::new("cp").arg("/bin/sleep").arg(home.join("bin/sinew")));
    let mut running = Command::new(home.join("bin/sinew")).arg("600").spawn().unwrap();
    run(Command::new(&install).env("PREFIX", &home));
    assert_eq!(run(Command::new(home.join("bin/sinew")).arg("--version")), version);
    assert!(running.try_wait().unwrap().is_none());
    running.kill().unwrap();
    running.wait().unwrap();
    run(Command::new(&install).arg("--remove").env("PREFIX", &home));
    let left = run(Command::new("find").arg(&home).args(["-name", "*sinew*"]));
    assert_eq!(left, "");
}

#[test]
fn the_archive_and_its_registration_are_removed_together() {
    if !has_tools(&["xz"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (unpacked, home) = (unpack(folder.path()), folder.path().join("home"));
    let prefix = home.join(".local");
    let in_home = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        for name in ["PREFIX", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(name);
        }
        run(command.args(arguments).env("HOME", &home).env("SHELL", "/usr/bin/zsh"))
    };
    let install = unpacked.join("install.sh");
    let said = in_home(&install, &[]);
    assert!(said.contains(&format!("Add {}/share/zsh/site-functions to fpath", prefix.display())), "{said}");
    in_home(&prefix.join("bin/sinew"), &["register"]);
    let list = home.join(".config/mimeapps.list");
    assert!(std::fs::read_to_string(&list).unwrap().contains("model/gltf-binary=sinew.desktop;"));

    in_home(&prefix.join("bin/sinew"), &["unregister"]);
    assert!(!list.exists());
    for file in required_files() {
        assert_eq!(std::fs::read(prefix.join(&file)).unwrap(), std::fs::read(unpacked.join(&file)).unwrap(), "{file}");
    }
    in_home(&prefix.join("bin/sinew"), &["register"]);
    in_home(&install, &["--remove"]);
    assert!(!list.exists());
    assert_eq!(run(Command::new("find").arg(&home).args(["-name", "*sinew*"])), "");
}

/// A minimal Debian in a folder, for commands as root.
struct Debian {
    folder: tempfile::TempDir,
}

impl Debian {
    /// Downloads and unpacks a minimal Debian. Returns `None`, with a message, if that is not possible. It needs root, a mirror, and the
    /// right to change the root folder and to make devices. Not every container has that right.
    fn new() -> Option<Self> {
        let is_root = run(Command::new("id").arg("-u")).trim() == "0";
        if !is_root || !has_tools(&["debootstrap"]) {
            skip("a clean Debian needs root and debootstrap");
            return None;
        }
        let debian = Self { folder: tempfile::tempdir().unwrap() };
        let made = Command::new("debootstrap").arg("--variant=minbase").arg(RELEASE).arg(debian.folder.path()).output().unwrap();
        if !made.status.success() {
            let reason = String::from_utf8_lossy(&made.stdout).lines().last().unwrap_or_default().to_owned();
            skip(&format!("debootstrap cannot run here: {reason}"));
            return None;
        }
        Some(debian)
    }

    /// Runs a shell command inside this Debian. Returns its output.
    fn run(&self, line: &str) -> String {
        let mut command = Command::new("chroot");
        command.arg(self.folder.path()).args(["sh", "-c", line]).env_clear();
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        run(command.envs([("PATH", path), ("HOME", "/root"), ("DEBIAN_FRONTEND", "noninteractive"), ("LC_ALL", "C")]))
    }

    fn copy_in(&self, file: &Path, name: &str) {
        std::fs::copy(file, self.folder.path().join(name)).unwrap();
    }
}

#[test]
fn the_deb_works_in_a_clean_debian_with_nothing_but_its_dependencies() {
    if !has_tools(&["dpkg-shlibdeps"]) {
        return;
    }
    let Some(debian) = Debian::new() else { return };
    debian.copy_in(&package("deb"), "sinew.deb");
    debian.copy_in(&root().join("assets/sample/sample.glb"), "sample.glb");
    debian.run("apt-get install -q -y --no-install-recommends /sinew.deb");
    assert_eq!(debian.run("sinew --version").trim(), concat!("sinew ", env!("CARGO_PKG_VERSION")));
    debian.run("sinew render /sample.glb -o /sample.png --size 64x64");
    let picture = image::open(debian.folder.path().join("sample.png")).unwrap().to_rgba8();
    let background = *picture.get_pixel(0, 0);
    assert!(picture.pixels().any(|pixel| *pixel != background), "the picture shows the model");

    debian.run("apt-get install -q -y --no-install-recommends xdg-utils shared-mime-info desktop-file-utils");
    assert_eq!(debian.run("xdg-mime query default model/gltf-binary").trim(), "sinew.desktop");
    assert!(debian.run("grep -h glb /usr/share/mime/globs2").contains("model/gltf-binary:*.glb"));

    debian.run("apt-get purge -q -y sinew");
    assert_eq!(debian.run("find /usr /etc /var/lib -name '*sinew*'"), "");
}
