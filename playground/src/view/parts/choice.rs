//! A list of options.

use yew::prelude::*;

use crate::bridge;

/// The properties of a list.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct ChoiceProps {
    /// Unique in the playground.
    pub id: String,
    /// Its `data-test`.
    pub test: String,
    /// The visible label; without one, the list is in a row with other controls.
    #[prop_or_default]
    pub label: AttrValue,
    /// The name for screen readers; without it the label.
    #[prop_or_default]
    pub name: Option<String>,
    /// Values and labels.
    pub options: Vec<(String, String)>,
    /// The current value; an unknown one shows `otherwise`.
    pub value: String,
    /// The label of an unknown value.
    #[prop_or_default]
    pub otherwise: AttrValue,
    /// Called with the chosen value.
    pub on_value: Callback<String>,
}

/// A list, with its label if it has one.
#[component]
pub fn Choice(props: &ChoiceProps) -> Html {
    let list = use_node_ref();
    let known = props.options.iter().any(|(value, _)| *value == props.value);
    let shown = if known {
        props.value.clone()
    } else {
        String::new()
    };
    {
        // The browser keeps the last choice; show the current value also after an undo.
        let list = list.clone();
        use_effect(move || bridge::show_choice(&list, &shown));
    }
    let on_value = props.on_value.clone();
    let onchange =
        Callback::from(move |event: Event| on_value.emit(bridge::text_of_change(&event)));
    let select = html! {
        <select ref={list} id={props.id.clone()} data-test={props.test.clone()} aria-label={props.name.clone()} {onchange}>
            if !known {
                <option value="" disabled=true>{ &props.otherwise }</option>
            }
            { for props.options.iter().map(|(value, text)| html! {
                <option key={value.clone()} value={value.clone()}>{ text }</option>
            }) }
        </select>
    };
    if props.label.is_empty() {
        return select;
    }
    html! {
        <div class="slider">
            <label for={props.id.clone()}>{ &props.label }</label>
            { select }
        </div>
    }
}
