//! Keyboard shortcuts.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent, window};

use super::EventListener;
use crate::state::{Direction, PageCommand, command_of_key};

const LETTERS: &str = "spillgate.letter-keys";

/// Calls `react` for the command of every key that belongs to the playground. Text fields have their own undo,
/// and fields, dialogs and host cells have their own letters.
#[must_use]
pub fn on_shortcut(react: impl Fn(PageCommand) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "keydown", move |event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
            return;
        };
        if event.default_prevented() || event.alt_key() {
            return;
        }
        let command = if event.ctrl_key() || event.meta_key() {
            with_control(&event)
        } else if has_letter_keys() && !is_in_field(&event) && !is_in_dialog() {
            command_of_key(&event.key())
        } else {
            None
        };
        if let Some(command) = command {
            event.prevent_default();
            react(command);
        }
    }))
}

/// Calls `react` for `[` (back) and `]` (forward), unless they are for a field or a dialog, or the keys without
/// Ctrl are off.
#[must_use]
pub fn on_step_key(react: impl Fn(Direction) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "keydown", move |event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
            return;
        };
        // Some layouts write brackets with AltGr, which browsers report as Ctrl and Alt.
        let is_shortcut = event.meta_key() || event.ctrl_key() != event.alt_key();
        let direction = match event.key().as_str() {
            "[" => Direction::Back,
            "]" => Direction::Forward,
            _ => return,
        };
        if !is_shortcut && has_letter_keys() && !is_in_field(&event) && !is_in_dialog() {
            event.prevent_default();
            react(direction);
        }
    }))
}

fn with_control(event: &KeyboardEvent) -> Option<PageCommand> {
    match (event.key().as_str(), event.shift_key()) {
        ("k" | "K", false) => Some(PageCommand::Palette),
        _ if is_in_text(event) => None,
        ("z" | "Z", false) => Some(PageCommand::Undo),
        ("z" | "Z", true) | ("y" | "Y", false) => Some(PageCommand::Redo),
        _ => None,
    }
}

/// Whether the playground uses keys without Ctrl. Speech input can trigger them by accident, so a user can turn
/// them off.
#[must_use]
pub fn has_letter_keys() -> bool {
    let storage = window().and_then(|window| window.local_storage().ok()?);
    let kept = storage.and_then(|storage| storage.get_item(LETTERS).ok()?);
    kept.as_deref() != Some("off")
}

/// Turns the keys without Ctrl on or off, also for later visits.
pub fn set_letter_keys(on: bool) {
    if let Some(storage) = window().and_then(|window| window.local_storage().ok()?) {
        let _ = storage.set_item(LETTERS, if on { "on" } else { "off" });
    }
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

/// What a key of a search does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKey {
    /// Goes to the field for the searched text.
    Open,
    /// Goes to another place of the text.
    Step(Direction),
}

/// The meaning of a key for a search, as in editors: Ctrl+F, F3, Shift+F3. The browser does not use the key then.
#[must_use]
pub fn search_key(event: &KeyboardEvent) -> Option<SearchKey> {
    let control = event.ctrl_key() || event.meta_key();
    let key = match (event.key().as_str(), control, event.shift_key()) {
        ("f" | "F", true, false) => SearchKey::Open,
        ("F3", false, false) => SearchKey::Step(Direction::Forward),
        ("F3", false, true) => SearchKey::Step(Direction::Back),
        _ => return None,
    };
    event.prevent_default();
    Some(key)
}

/// Whether a key is Escape; then the browser does not close the dialog.
#[must_use]
pub fn is_escape(event: &KeyboardEvent) -> bool {
    let is = event.key() == "Escape";
    if is {
        event.prevent_default();
    }
    is
}

/// Whether a dialog is open.
pub(super) fn is_in_dialog() -> bool {
    let document = window().and_then(|window| window.document());
    document.is_some_and(|document| matches!(document.query_selector("dialog[open]"), Ok(Some(_))))
}

/// Whether an event is for a field, which may expect letters, digits or a pasted text.
pub(super) fn is_in_field(event: &Event) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        let kind = element.get_attribute("type");
        match element.tag_name().as_str() {
            "TEXTAREA" | "SELECT" => true,
            "INPUT" => !matches!(kind.as_deref(), Some("range" | "checkbox" | "radio")),
            _ => false,
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
