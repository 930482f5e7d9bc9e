//! Files that a user chooses or drops. They stay in the browser.

use wasm_bindgen_futures::JsFuture;
pub use web_sys::File;
use web_sys::HtmlInputElement;
use yew::{DragEvent, Event, TargetCast as _};

/// The chosen file. The field is cleared, so that the user can choose the same file again.
#[must_use]
pub fn chosen_file(event: &Event) -> Option<File> {
    let field = event.target_dyn_into::<HtmlInputElement>()?;
    let file = field.files()?.item(0);
    field.set_value("");
    file
}

/// The dropped file. The browser handles dropped text.
#[must_use]
pub fn dropped_file(event: &DragEvent) -> Option<File> {
    let file = event.data_transfer()?.files()?.item(0)?;
    event.prevent_default();
    Some(file)
}

/// Accepts a dropped file, which the browser would open otherwise.
pub fn allow_drop(event: &DragEvent) {
    let carried = event.data_transfer().map(|data| data.types());
    if carried.is_some_and(|types| types.includes(&"Files".into(), 0)) {
        event.prevent_default();
    }
}

/// Reads the text of a file; `None` if that fails.
pub fn read_file(file: &File, done: impl FnOnce(Option<String>) + 'static) {
    let text = file.text();
    yew::platform::spawn_local(async move {
        let text = JsFuture::from(text).await;
        done(text.ok().and_then(|text| text.as_string()));
    });
}
