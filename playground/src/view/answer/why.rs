//! The explanation of the selected figure.

use yew::prelude::*;

use crate::{
    state::{ExplanationNode, PageMessage, TextPlace, explain},
    view::{
        parts::{config_excerpt, note},
        shared::Everything,
    },
};

/// The tree of formulas, and an excerpt of the configuration.
#[component]
pub(crate) fn WhyPanel(props: &Everything) -> Html {
    let store = &props.store;
    let chosen = use_state(|| None::<TextPlace>);
    {
        // Another figure has other lines.
        let chosen = chosen.setter();
        use_effect_with(store.selected, move |_| chosen.set(None));
    }
    let tree = store
        .selected
        .and_then(|figure| explain(store.scenario(), &store.outcome, figure));
    let Some(tree) = tree else {
        return html! {
            <aside class="why" aria-label="Explanation" data-test="why">
                <h2>{ "Why?" }</h2>
                { note("Select a figure to see its formula.".into()) }
            </aside>
        };
    };
    let place = chosen.or_else(|| first_place(&tree));
    let choose = {
        let chosen = chosen.setter();
        Callback::from(move |place: TextPlace| chosen.set(Some(place)))
    };
    html! {
        <aside class="why" aria-label="Explanation" data-test="why">
            <h2>{ "Why " }<span data-test="why-value">{ &tree.value }</span>{ "?" }</h2>
            <ul class="tree">{ node(&tree, place, &choose) }</ul>
            if let Some(origin) = store.scenario().origin.as_deref() {
                if let Some(place) = place {
                    { config_excerpt(origin, place) }
                } else {
                    { note(PageMessage::ChangedValue.to_string()) }
                }
            } else {
                { note("Import a configuration to see the line of each setting.".into()) }
            }
        </aside>
    }
}

fn node(of: &ExplanationNode, shown: Option<TextPlace>, choose: &Callback<TextPlace>) -> Html {
    html! {
        <li>
            <div class="node">
                <span>{ &of.label }</span>
                <b>{ &of.value }</b>
            </div>
            if !of.formula.is_empty() {
                <small>{ &of.formula }</small>
            }
            if let Some(place) = of.place {
                <button type="button" class={classes!("place", (shown == Some(place)).then_some("shown"))} data-test="why-place"
                    onclick={choose.reform(move |_: MouseEvent| place)}>{ place_text(place) }</button>
            }
            if !of.children.is_empty() {
                <ul>{ for of.children.iter().map(|child| node(child, shown, choose)) }</ul>
            }
        </li>
    }
}

fn place_text(place: TextPlace) -> String {
    match place.last_line {
        Some(last) => format!("lines {}\u{2013}{last}", place.position.line),
        None => format!(
            "line {}, column {}",
            place.position.line, place.position.column
        ),
    }
}

fn first_place(node: &ExplanationNode) -> Option<TextPlace> {
    node.place
        .or_else(|| node.children.iter().find_map(first_place))
}
