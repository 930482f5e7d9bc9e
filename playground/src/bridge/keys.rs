//! Keyboard shortcuts.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent, window};

use super::EventListener;
use crate::state::Direction;

/// The action of a shortcut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortcut {
    /// Ctrl+Z or Command+Z.
    Undo,
    /// The same with Shift, or Ctrl+Y.
    Redo,
}

/// Calls `react` for every shortcut outside of text fields, which have their own undo.
#[must_use]
pub fn on_shortcut(react: impl Fn(Shortcut) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "keydown", move |event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
            return;
        };
        if is_in_text(&event) || !(event.ctrl_key() || event.meta_key()) || event.alt_key() {
            return;
        }
        let shortcut = match (event.key().as_str(), event.shift_key()) {
            ("z" | "Z", false) => Shortcut::Undo,
            ("z" | "Z", true) | ("y" | "Y", false) => Shortcut::Redo,
            _ => return,
        };
        event.prevent_default();
        react(shortcut);
    }))
}

/// The direction of a key: the next fault (F8) or the previous one (Shift+F8).
#[must_use]
pub fn fault_key(event: &KeyboardEvent) -> Option<Direction> {
    let plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
    (plain && event.key() == "F8").then(|| {
        event.prevent_default();
        if event.shift_key() {
            Direction::Back
        } else {
            Direction::Forward
        }
    })
}

fn is_in_text(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        let kind = element.get_attribute("type");
        match element.tag_name().as_str() {
            "TEXTAREA" => true,
            "INPUT" => matches!(kind.as_deref(), None | Some("text" | "search" | "url")),
            _ => false,
        }
    })
}
