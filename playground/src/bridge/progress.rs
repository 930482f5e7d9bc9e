//! The storage of the browser that outlives a visit, and that no server receives.

use web_sys::{Storage, window};

const LESSONS: &str = "spillgate.lessons";

/// The kept progress of the lessons; empty without any.
#[must_use]
pub fn kept_progress() -> String {
    let kept = storage().and_then(|storage| storage.get_item(LESSONS).ok()?);
    kept.unwrap_or_default()
}

/// Keeps the progress of the lessons; an empty one is removed. Returns whether the browser does.
#[must_use]
pub fn keep_progress(progress: &str) -> bool {
    storage().is_some_and(|storage| {
        let kept = match progress {
            "" => storage.remove_item(LESSONS),
            progress => storage.set_item(LESSONS, progress),
        };
        kept.is_ok()
    })
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}
