//! A list to choose from.

use yew::prelude::*;

use crate::bridge;

#[derive(PartialEq, Properties)]
pub(crate) struct ChoiceProps {
    /// Unique on the page.
    pub(crate) id: String,
    pub(crate) test: String,
    pub(crate) label: AttrValue,
    /// What a screen reader says; the label where it is left out.
    #[prop_or_default]
    pub(crate) name: Option<String>,
    /// Values and what stands for them.
    pub(crate) options: Vec<(String, String)>,
    /// The value that holds; one that is no option shows `otherwise`.
    pub(crate) value: String,
    /// What stands there when no option holds.
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
        // A browser remembers what was chosen, not what holds: an undo must show as well.
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
