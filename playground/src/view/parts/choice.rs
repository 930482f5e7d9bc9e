//! A list of options.

use yew::prelude::*;

use crate::bridge;

#[derive(PartialEq, Properties)]
pub(crate) struct ChoiceProps {
    /// Unique on the page.
    pub(crate) id: String,
    pub(crate) test: String,
    pub(crate) label: AttrValue,
    /// The name for screen readers; without it the label.
    #[prop_or_default]
    pub(crate) name: Option<String>,
    /// Values and labels.
    pub(crate) options: Vec<(String, String)>,
    /// The current value; an unknown one shows `otherwise`.
    pub(crate) value: String,
    /// The label of an unknown value.
    #[prop_or_default]
    pub(crate) otherwise: AttrValue,
    pub(crate) on_value: Callback<String>,
}

/// Label and list.
#[component]
pub(crate) fn Choice(props: &ChoiceProps) -> Html {
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
    html! {
        <div class="slider">
            <label for={props.id.clone()}>{ &props.label }</label>
            <select ref={list} id={props.id.clone()} data-test={props.test.clone()} aria-label={props.name.clone()} {onchange}>
                if !known {
                    <option value="" disabled=true>{ &props.otherwise }</option>
                }
                { for props.options.iter().map(|(value, text)| html! {
                    <option key={value.clone()} value={value.clone()}>{ text }</option>
                }) }
            </select>
        </div>
    }
}
