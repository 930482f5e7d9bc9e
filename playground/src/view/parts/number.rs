//! A field for a whole number.

use yew::prelude::*;

use crate::bridge;

/// The properties of a number field.
#[derive(Debug, PartialEq, Properties)]
pub struct NumberProps {
    /// Its `data-test`.
    pub test: String,
    /// The name for screen readers.
    pub name: String,
    /// The current value.
    pub value: u32,
    /// The smallest value.
    pub min: u32,
    /// The largest value.
    pub max: u32,
    /// Called with each valid value.
    pub on_value: Callback<u32>,
}

/// Emits every valid number while the user types. An invalid number is reset when the field loses the
/// focus.
#[component]
pub fn Number(props: &NumberProps) -> Html {
    // The text while it is not a valid number.
    let draft = use_state(|| None::<String>);
    let (min, max) = (props.min, props.max);
    let oninput = {
        let (draft, on_value) = (draft.setter(), props.on_value.clone());
        Callback::from(move |event: InputEvent| {
            let text = bridge::text_of(&event);
            match text.trim().parse::<u32>() {
                Ok(value) if (min..=max).contains(&value) => {
                    draft.set(None);
                    on_value.emit(value);
                }
                _ => draft.set(Some(text)),
            }
        })
    };
    let onchange = {
        let (draft, on_value) = (draft.setter(), props.on_value.clone());
        Callback::from(move |event: Event| {
            draft.set(None);
            if let Ok(value) = bridge::text_of_change(&event).trim().parse::<u32>() {
                on_value.emit(value.clamp(min, max));
            }
        })
    };
    let text = (*draft).clone().unwrap_or_else(|| props.value.to_string());
    html! {
        <input type="number" class="number" inputmode="numeric" data-test={props.test.clone()} aria-label={props.name.clone()}
            min={min.to_string()} max={max.to_string()} step="1" value={text} {oninput} {onchange} />
    }
}
