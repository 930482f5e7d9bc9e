//! Files that a user chooses or drops. They stay in the browser.

use wasm_bindgen_futures::JsFuture;
pub use web_sys::File;
use web_sys::{FileList, HtmlInputElement};
use yew::{DragEvent, Event, TargetCast as _};

/// The chosen files. The field is cleared, so that the user can choose the same files again.
#[must_use]
pub fn chosen_files(event: &Event) -> Vec<File> {
    let Some(field) = event.target_dyn_into::<HtmlInputElement>() else {
        return Vec::new();
    };
    let files = listed(field.files());
    field.set_value("");
    files
}

/// The dropped files. The browser handles dropped text.
#[must_use]
pub fn dropped_files(event: &DragEvent) -> Vec<File> {
    let files = listed(event.data_transfer().and_then(|data| data.files()));
    if !files.is_empty() {
        event.prevent_default();
    }
    files
}

fn listed(files: Option<FileList>) -> Vec<File> {
    let Some(files) = files else {
        return Vec::new();
    };
    (0..files.length())
        .filter_map(|index| files.item(index))
        .collect()
}

/// Accepts a dropped file, which the browser would open otherwise.
pub fn allow_drop(event: &DragEvent) {
    let carried = event.data_transfer().map(|data| data.types());
    if carried.is_some_and(|types| types.includes(&"Files".into(), 0)) {
        event.prevent_default();
    }
}

/// Reads files: their names, and their texts or `None` if the browser cannot read one.
pub fn read_files(files: Vec<File>, done: impl FnOnce(Vec<(String, Option<String>)>) + 'static) {
    yew::platform::spawn_local(async move {
        let mut read = Vec::new();
        for file in files {
            let text = JsFuture::from(file.text()).await;
            read.push((file.name(), text.ok().and_then(|text| text.as_string())));
        }
        done(read);
    });
}
