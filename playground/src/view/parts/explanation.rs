//! A derivation as a tree.

use spillgate_scenario::{ExplanationNode, TextPlace};
use yew::prelude::*;

/// The tree of formulas. `choose` is called with a place of the configuration; `shown` is the place that
/// the playground shows. `label` draws the name of a figure, if need be with short names.
pub fn explanation_tree(
    tree: &ExplanationNode,
    shown: Option<TextPlace>,
    choose: &Callback<TextPlace>,
    label: &dyn Fn(&str) -> Html,
) -> Html {
    html! { <ul class="tree">{ node(tree, shown, choose, label) }</ul> }
}

fn node(
    of: &ExplanationNode,
    shown: Option<TextPlace>,
    choose: &Callback<TextPlace>,
    label: &dyn Fn(&str) -> Html,
) -> Html {
    html! {
        <li>
            <div class="node">
                <span>{ label(&of.label) }</span>
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
                <ul>{ for of.children.iter().map(|child| node(child, shown, choose, label)) }</ul>
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
