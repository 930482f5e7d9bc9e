//! A labeled field for a setting. Its value is set when the user leaves the field or presses Enter.

use yew::prelude::*;

use crate::bridge;

#[derive(PartialEq, Properties)]
pub(super) struct TextFieldProps {
    /// Unique in the playground; also its `data-test`.
    pub(super) id: String,
    /// The visible label.
    pub(super) label: String,
    /// The value.
    pub(super) value: String,
    /// What is wrong with it; empty if nothing is.
    pub(super) fault: String,
    /// Who states it.
    pub(super) about: &'static str,
    pub(super) on_value: Callback<String>,
}

/// The label, the field and what is said about it.
#[component]
pub(super) fn TextField(props: &TextFieldProps) -> Html {
    // A render while the user types would show the old value again.
    let draft = use_state(|| None::<String>);
    let oninput = {
        let draft = draft.setter();
        Callback::from(move |event: InputEvent| draft.set(Some(bridge::text_of(&event))))
    };
    let onchange = {
        let (draft, on_value) = (draft.setter(), props.on_value.clone());
        Callback::from(move |event: Event| {
            draft.set(None);
            on_value.emit(bridge::text_of_change(&event).trim().to_owned());
        })
    };
    let value = (*draft).clone().unwrap_or_else(|| props.value.clone());
    let about = format!("{}-about", props.id);
    let has_fault = !props.fault.is_empty();
    let said = if has_fault {
        props.fault.clone()
    } else {
        props.about.to_owned()
    };
    html! {
        <div class="setting">
            <label for={props.id.clone()}>{ props.label.clone() }</label>
            <input type="text" autocomplete="off" spellcheck="false" id={props.id.clone()} data-test={props.id.clone()}
                aria-describedby={about.clone()} aria-invalid={has_fault.then_some("true")} {value} {oninput} {onchange} />
            <small data-test={about.clone()} id={about} class={has_fault.then_some("alarm")}>{ said }</small>
        </div>
    }
}
