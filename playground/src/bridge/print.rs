//! Printing of the page.

use web_sys::window;

use super::EventListener;

/// Calls `react` with `true` before the browser prints the page, and with `false` after it.
#[must_use]
pub fn on_print(react: impl Fn(bool) + Clone + 'static) -> Option<[EventListener; 2]> {
    let window = window()?;
    let after = react.clone();
    Some([
        EventListener::new(&window, "beforeprint", move |_| react(true)),
        EventListener::new(&window, "afterprint", move |_| after(false)),
    ])
}
