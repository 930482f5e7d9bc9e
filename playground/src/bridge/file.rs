//! Files that a user chooses or drops. They stay in the browser.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
pub use web_sys::File;
use web_sys::{FileList, HtmlInputElement, window};
use yew::{DragEvent, Event, TargetCast as _};

use super::{EventListener, keys::is_in_dialog};

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

/// Calls `react` for files that are dropped in the playground outside of dialogs, which have fields for them.
#[must_use]
pub fn on_files_dropped(react: impl Fn(Vec<File>) + 'static) -> Option<[EventListener; 2]> {
    let window = window()?;
    let for_page = |event: web_sys::Event| {
        let event = event.dyn_into::<DragEvent>().ok()?;
        (!event.default_prevented() && !is_in_dialog()).then_some(event)
    };
    let over = EventListener::new(&window, "dragover", move |event| {
        if let Some(event) = for_page(event) {
            allow_drop(&event);
        }
    });
    let dropped = EventListener::new(&window, "drop", move |event| {
        let files = for_page(event).map(|event| dropped_files(&event));
        if let Some(files) = files.filter(|files| !files.is_empty()) {
            react(files);
        }
    });
    Some([over, dropped])
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
