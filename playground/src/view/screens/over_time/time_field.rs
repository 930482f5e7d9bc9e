//! A field for a time in seconds.

use crate::bridge;
use yew::prelude::*;

use super::{decimals, thousandths};

#[derive(PartialEq, Properties)]
pub(crate) struct TimeFieldProps {
    /// Its `data-test`.
    pub(crate) test: String,
    /// The name for screen readers.
    pub(crate) name: String,
    /// The value, in milliseconds.
    pub(crate) value: u64,
    /// The largest value.
    pub(crate) max: u64,
    /// Values are multiples of it, and the arrow keys move by it; by a second if it is 1.
    pub(crate) step: u64,
    /// Called with each valid value.
    pub(crate) on_value: Callback<u64>,
}

/// Keeps the text while the user types, and emits every valid time.
#[component]
pub(crate) fn TimeField(props: &TimeFieldProps) -> Html {
    let draft = use_state(|| None::<String>);
    let oninput = {
        let (draft, on_value) = (draft.setter(), props.on_value.clone());
        Callback::from(move |event: InputEvent| {
            let text = bridge::text_of(&event);
            if let Some(value) = thousandths(&text) {
                on_value.emit(value);
            }
            draft.set(Some(text));
        })
    };
    let onchange = {
        let draft = draft.setter();
        Callback::from(move |_: Event| draft.set(None))
    };
    // The shown time is a multiple of the step; any other time makes the typed one out of date.
    let is_shown = |text: &String| {
        let typed = thousandths(text).map(|typed| typed.min(props.max));
        typed.is_none_or(|typed| typed - typed % props.step.max(1) == props.value)
    };
    let text = (*draft)
        .clone()
        .filter(is_shown)
        .unwrap_or_else(|| decimals(props.value));
    let step = match props.step {
        1 => "any".to_owned(),
        step => decimals(step),
    };
    html! {
        <input type="number" class="number" inputmode="decimal" data-test={props.test.clone()} aria-label={props.name.clone()}
            min="0" max={decimals(props.max)} step={step} value={text} {oninput} {onchange} />
    }
}
