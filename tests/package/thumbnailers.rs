//! Tests thumbnails with the programs that make them on a desktop: tumbler over D-Bus (XFCE and others), and the sandbox of GNOME.

use std::path::Path;
use std::process::Command;

use super::skip::{skip, skip_outside_ci};
use super::{has_tools, root, run, unpack};

/// Asks tumbler for a thumbnail of the file in `$1`, and waits until the picture is complete. D-Bus starts tumbler by itself.
const ASK_TUMBLER: &str = r#"
call() {
  gdbus call --session --dest org.freedesktop.thumbnails.Thumbnailer1 --object-path /org/freedesktop/thumbnails/Thumbnailer1 \
    --method "org.freedesktop.thumbnails.Thumbnailer1.$@"
}
call GetSupported
call Queue "['file://$1']" "['model/gltf-binary']" large default 0
for _ in $(seq 600); do
  if tail -c 12 "$XDG_CACHE_HOME"/thumbnails/large/*.png | grep -q IEND; then exit 0; fi
  sleep 0.1
done
ls -R "$XDG_CACHE_HOME" >&2
exit 1
"#;

/// Fails unless a picture shows a model on a transparent background.
fn assert_is_thumbnail(path: &Path, size: u32) {
    let picture = image::open(path).unwrap().to_rgba8();
    assert_eq!(picture.dimensions(), (size, size));
    let opaque = picture.pixels().filter(|pixel| pixel[3] == 255).count();
    let share = opaque as f64 / f64::from(size * size);
    assert!((0.05..0.9).contains(&share), "{share} of the picture is opaque");
    assert_eq!(picture.get_pixel(0, 0)[3], 0, "the corner is transparent");
}

#[test]
fn tumbler_makes_a_thumbnail_with_the_installed_entry() {
    let service = "/usr/share/dbus-1/services/org.xfce.Tumbler.Thumbnailer1.service";
    if !Path::new(service).is_file() {
        return skip_outside_ci("tumbler is not installed");
    }
    if !has_tools(&["dbus-run-session", "gdbus", "update-mime-database", "xz"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (home, cache) = (folder.path().join("home"), folder.path().join("cache"));
    run(Command::new(unpack(folder.path()).join("install.sh")).env("PREFIX", &home));
    let model = folder.path().join("model.glb");
    std::fs::copy(root().join("assets/sample/sample.glb"), &model).unwrap();

    let path = format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap());
    let data = format!("{}:/usr/share", home.join("share").display());
    let mut ask = Command::new("dbus-run-session");
    ask.args(["--", "bash", "-c", ASK_TUMBLER, "ask"]).arg(&model);
    ask.env("HOME", &home).env("XDG_CACHE_HOME", &cache).env("XDG_DATA_DIRS", data).env("PATH", path);
    let answer = run(ask.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("XDG_DATA_HOME"));
    assert!(answer.contains("'model/gltf-binary'") && answer.contains("'model/gltf+json'"), "{answer}");
    let made = std::fs::read_dir(cache.join("thumbnails/large")).unwrap().next().unwrap().unwrap().path();
    assert_is_thumbnail(&made, 256);
}

#[test]
fn a_thumbnail_is_made_in_a_sandbox_with_nothing_but_programs_and_the_file() {
    if !has_tools(&["bwrap"]) {
        return;
    }
    if !Command::new("bwrap").args(["--ro-bind", "/", "/", "--unshare-all", "true"]).status().unwrap().success() {
        return skip("bwrap may not make a sandbox here");
    }
    let folder = tempfile::tempdir().unwrap();
    // The sandbox is like that of GNOME: no display, no home, no network, a folder for the result, and read-only access to the rest.
    let mut sandbox = Command::new("bwrap");
    sandbox.args(["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]);
    for link in ["bin", "lib", "lib64", "sbin"] {
        sandbox.args(["--symlink", &format!("usr/{link}"), &format!("/{link}")]);
    }
    sandbox.args([
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--chdir",
        "/",
        "--setenv",
        "GIO_USE_VFS",
        "local",
        "--unshare-all",
        "--die-with-parent",
    ]);
    sandbox.arg("--bind").arg(folder.path()).arg("/tmp");
    sandbox.arg("--ro-bind").arg(root().join("assets/sample/sample.glb")).arg("/tmp/file-to-thumbnail.glb");
    sandbox.arg("--ro-bind").arg(env!("CARGO_BIN_EXE_sinew")).arg("/sinew");
    sandbox.args(["/sinew", "thumbnail", "--size", "256", "/tmp/file-to-thumbnail.glb", "/tmp/thumbnail.png"]);
    run(sandbox.env_clear().env("PATH", "/usr/bin:/bin"));
    assert_is_thumbnail(&folder.path().join("thumbnail.png"), 256);
}
