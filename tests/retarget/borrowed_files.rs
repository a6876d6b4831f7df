//! Tests files that lend their animations to a model: what happens when the files change on disk, break or disappear.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sinew::asset::file::stamp::SourceFile;
use sinew::asset::{self, LoadOptions};
use sinew::borrowed::{Borrowed, FileRequest, apply};
use sinew::model::Model;
use sinew::session::view::retarget::Retarget;

use crate::common::odd_rigs::Character;

/// The plain character with the animations of these files.
fn played(requests: Vec<FileRequest>) -> (Model, Borrowed) {
    let requests = requests.into_iter().map(|request| (request, Retarget::default())).collect();
    apply(Character::default().gltf().model(), requests, &LoadOptions::default())
}

/// The requests of a reload.
fn again(borrowed: &Borrowed) -> Vec<FileRequest> {
    borrowed.files.iter().cloned().map(FileRequest::Reload).collect()
}

/// Returns a file with its current stamp, as a list of watched files.
fn now(file: &Path) -> Vec<SourceFile> {
    vec![SourceFile::now(file)]
}

#[test]
fn a_file_that_breaks_keeps_its_animations_and_is_not_read_again_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.glb");
    fs::write(&file, Character::default().gltf().to_glb()).unwrap();
    let (model, first) = played(vec![FileRequest::Path(file.clone())]);
    assert_eq!((model.animations.len(), first.failures.len()), (2, 0));

    for broken in [Some("not a model"), None] {
        match broken {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let (model, kept) = played(again(&first));
        assert_eq!((model.animations.len(), kept.files.len(), kept.failures.len()), (2, 1, 1), "{broken:?}");
        assert_eq!(kept.failures[0].0, file);
        assert!(Arc::ptr_eq(&kept.files[0].model, &first.files[0].model), "{broken:?}: the last good version");
        // The watcher compares these stamps with those on disk, so it does not report the same broken file again.
        assert_eq!(kept.files[0].files, now(&file), "{broken:?}");
        assert_ne!(first.files[0].files, now(&file), "{broken:?}");
    }

    let faster = Character { duration: 0.5, ..Character::default() };
    fs::write(&file, faster.gltf().to_glb()).unwrap();
    let (model, mended) = played(again(&first));
    assert_eq!((model.animations.len(), mended.failures.len()), (2, 0));
    assert!((model.animations[1].duration - 0.5).abs() < 1e-6 && model.animations[0].duration == 1.0);
}

#[test]
fn a_file_that_cannot_be_read_at_first_is_left_out_and_the_others_play() {
    let folder = tempfile::tempdir().unwrap();
    let (good, broken) = (folder.path().join("good.glb"), folder.path().join("broken.glb"));
    fs::write(&good, Character::default().gltf().to_glb()).unwrap();
    fs::write(&broken, b"glTF").unwrap();
    let missing = folder.path().join("missing.glb");
    let (model, borrowed) = played([&broken, &good, &missing].map(|file| FileRequest::Path(file.clone())).into());
    assert_eq!((model.animations.len(), borrowed.files.len(), borrowed.choices.len(), borrowed.reports.len()), (2, 1, 1, 1));
    let failed: Vec<_> = borrowed.failures.iter().map(|(path, _)| path.clone()).collect();
    assert_eq!(failed, [broken, missing]);
    assert!(borrowed.failures.iter().all(|(_, message)| !message.is_empty()));
}

#[test]
fn the_model_and_the_files_share_a_limit_of_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["first.glb", "second.glb"].map(|name| folder.path().join(name));
    let bytes = Character::default().gltf().to_glb();
    files.iter().for_each(|file| fs::write(file, &bytes).unwrap());
    let model = || asset::load_bytes(bytes.clone(), "hero.glb").unwrap().model;
    let size = bytes.len() as u64;
    assert_eq!(model().asset.bytes, size);
    for (limit, read) in [(3 * size, 2), (3 * size - 1, 1), (2 * size - 1, 0)] {
        let requests = files.iter().map(|file| (FileRequest::Path(file.clone()), Retarget::default())).collect();
        let (_, borrowed) = apply(model(), requests, &LoadOptions { byte_limit: Some(limit), ..LoadOptions::default() });
        assert_eq!((borrowed.files.len(), borrowed.failures.len(), borrowed.bytes()), (read, 2 - read, read as u64 * size), "{limit}");
    }
}
