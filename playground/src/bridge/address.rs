//! The fragment of the address bar, which browsers do not send to servers.

use wasm_bindgen::JsCast as _;
use web_sys::{History, PopStateEvent, window};

use super::EventListener;
use crate::state::Screen;

/// The fragment with its `#`; empty without one.
#[must_use]
pub fn fragment() -> String {
    window()
        .and_then(|window| window.location().hash().ok())
        .unwrap_or_default()
}

/// Replaces the fragment (given without `#`) and the screen of the current history entry, unless it has
/// them. Browsers limit the rate; a later call repeats a refused one.
pub fn replace_fragment(new_fragment: &str, screen: Screen) {
    let address = format!("#{new_fragment}");
    if let Some(history) = history()
        && !(is_named(&history, screen) && fragment() == address)
    {
        let _ = history.replace_state_with_url(&screen.name().into(), "", Some(&address));
    }
}

/// Adds a history entry for a screen, so that the Back button returns to the previous one; not for the
/// screen of the current entry.
pub fn push_screen(screen: Screen) {
    if let Some(history) = history()
        && !is_named(&history, screen)
    {
        let _ = history.push_state(&screen.name().into(), "");
    }
}

/// Notes the screen of the first history entry, without a change of the address.
pub fn name_screen(screen: Screen) {
    if let Some(history) = history() {
        let _ = history.replace_state(&screen.name().into(), "");
    }
}

/// Whether the current history entry is one of a screen.
fn is_named(history: &History, screen: Screen) -> bool {
    let state = history.state().ok().and_then(|state| state.as_string());
    state.as_deref() == Some(screen.name())
}

fn history() -> Option<History> {
    window()?.history().ok()
}

/// The address of this page with another fragment.
#[must_use]
pub fn link_to(fragment: &str) -> String {
    let address = window()
        .and_then(|window| window.location().href().ok())
        .unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// What the user changed with the address bar or the Back button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressChange {
    /// A screen, from the history.
    Screen(Screen),
    /// Another fragment.
    Fragment(String),
}

/// Calls `react` whenever the user changes the fragment, or goes back or forward.
#[must_use]
pub fn on_open(react: impl Fn(AddressChange) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "popstate", move |event| {
        let state = event.dyn_ref::<PopStateEvent>().map(PopStateEvent::state);
        let screen = state.and_then(|state| Screen::named(&state.as_string()?));
        react(screen.map_or_else(
            || AddressChange::Fragment(fragment()),
            AddressChange::Screen,
        ));
    }))
}
