//! Saves camera bookmarks of the open file, and moves the camera to them.

use crate::session::camera::bookmarks::Bookmark;
use crate::session::saved_list::free_name;
use crate::ui::context::Context;
use crate::ui::context::request::Request;

use crate::ui::commands::camera;

/// The bookmarks of the open file. The sample model has none.
pub fn of_file<'a>(context: &'a Context) -> &'a [Bookmark] {
    file(context).map_or(&[], |file| context.preferences.bookmarks.for_file(&file))
}

/// Changes the bookmarks of the open file.
pub fn change(context: &mut Context, change: impl FnOnce(&mut Vec<Bookmark>)) {
    let Some(file) = file(context) else { return };
    let mut bookmarks = context.preferences.bookmarks.for_file(&file).to_vec();
    change(&mut bookmarks);
    context.preferences.bookmarks.set(&file, bookmarks);
}

/// Saves the current camera as a bookmark. The message says where the user finds it.
pub fn save(context: &mut Context) {
    let name = free_name("Bookmark", of_file(context).iter().map(|bookmark| bookmark.name.as_str()));
    let bookmark = Bookmark::new(&name, camera::orbit(context), context.view.follow, &context.document.model);
    change(context, |bookmarks| bookmarks.push(bookmark));
    let message = format!("Saved {name} of {}. It is in View > Camera > Bookmarks", context.document.name);
    context.requests.push(Request::ShowMessage(message));
}

/// Shows the model through a bookmark's camera.
pub fn go_to(context: &mut Context, number: usize) {
    if let Some(bookmark) = of_file(context).get(number).cloned() {
        bookmark.apply(&context.document.model, context.view);
    }
}

/// The path of the open file, in the form in which bookmarks store it.
fn file(context: &Context) -> Option<String> {
    context.document.path.as_ref().map(|path| path.to_string_lossy().into_owned())
}
