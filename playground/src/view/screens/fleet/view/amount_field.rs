//! A labeled field for a number from 0, which can be empty.

use yew::prelude::*;

use crate::{bridge, view::screens::fleet::amount_of_text};

#[derive(PartialEq, Properties)]
pub(super) struct AmountFieldProps {
    /// Unique in the playground; also its `data-test`.
    pub(super) id: String,
    /// The visible label.
    pub(super) label: &'static str,
    /// The name for screen readers; without it the label.
    #[prop_or_default]
    pub(super) name: Option<String>,
    /// The amount; `None` for an empty field.
    pub(super) value: Option<f64>,
    /// Shown in an empty field.
    pub(super) empty: &'static str,
    /// Called with each valid amount.
    pub(super) on_value: Callback<Option<f64>>,
}

/// Keeps the text while the user types, and emits every valid amount. An invalid text is reset when the field loses the
/// focus.
#[component]
pub(super) fn AmountField(props: &AmountFieldProps) -> Html {
    let draft = use_state(|| None::<String>);
    let oninput = {
        let (draft, on_value) = (draft.setter(), props.on_value.clone());
        Callback::from(move |event: InputEvent| {
            let text = bridge::text_of(&event);
            if let Some(value) = amount_of_text(&text) {
                on_value.emit(value);
            }
            draft.set(Some(text));
        })
    };
    let onchange = {
        let draft = draft.setter();
        Callback::from(move |_: Event| draft.set(None))
    };
    // Another amount than the typed one, for example after an undo, replaces the text.
    let is_shown = |text: &String| amount_of_text(text).is_none_or(|typed| typed == props.value);
    let own = || {
        props
            .value
            .map_or_else(String::new, |value| value.to_string())
    };
    let text = (*draft).clone().filter(is_shown).unwrap_or_else(own);
    let id = props.id.clone();
    html! {
        <div class="slider">
            <label for={id.clone()}>{ props.label }</label>
            <input type="text" class="number" inputmode="decimal" autocomplete="off" data-test={id.clone()} {id}
                aria-label={props.name.clone()} placeholder={props.empty} value={text} {oninput} {onchange} />
        </div>
    }
}
