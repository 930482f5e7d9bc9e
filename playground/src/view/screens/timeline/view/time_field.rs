//! A field for a time in seconds.

use crate::bridge;
use yew::prelude::*;

use crate::view::screens::timeline::{decimals, thousandths};

#[derive(PartialEq, Properties)]
pub(super) struct TimeFieldProps {
    /// Its `data-test`.
    pub(super) test: &'static str,
    /// The name for screen readers.
    pub(super) name: &'static str,
    /// The value, in milliseconds.
    pub(super) value: u64,
    /// The largest value.
    pub(super) max: u64,
    /// The step of the arrow keys.
    pub(super) step: u64,
    /// Called with each valid value.
    pub(super) on_value: Callback<u64>,
}

/// Keeps the text while the user types, and emits every valid time.
#[component]
pub(super) fn TimeField(props: &TimeFieldProps) -> Html {
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
    html! {
        <input type="number" class="number" inputmode="decimal" data-test={props.test} aria-label={props.name}
            min="0" max={decimals(props.max)} step={decimals(props.step)} value={text} {oninput} {onchange} />
    }
}
