//! The values of fields.

use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::{Event, InputEvent, NodeRef, TargetCast as _};

/// The text of the field of an input event.
#[must_use]
pub fn text_of(event: &InputEvent) -> String {
    if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
        return field.value();
    }
    let area = event.target_dyn_into::<HtmlTextAreaElement>();
    area.map(|area| area.value()).unwrap_or_default()
}

/// The chosen value of a list, or the committed text of a field.
#[must_use]
pub fn text_of_change(event: &Event) -> String {
    if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
        return list.value();
    }
    let field = event.target_dyn_into::<HtmlInputElement>();
    field.map(|field| field.value()).unwrap_or_default()
}

/// Whether the checkbox of an event is checked.
#[must_use]
pub fn checked(event: &Event) -> bool {
    event
        .target_dyn_into::<HtmlInputElement>()
        .is_some_and(|field| field.checked())
}

/// Chooses an option of a list.
pub fn show_choice(list: &NodeRef, value: &str) {
    if let Some(list) = list.cast::<HtmlSelectElement>()
        && list.value() != value
    {
        list.set_value(value);
    }
}
