//! The explanation of the selected figure.

use spillgate_scenario::{ExplanationNode, PageLayout, PageMessage, TextPlace, explain};
use yew::prelude::*;

use crate::view::{
    Shared,
    parts::{Button, config_excerpt, explanation_tree, named, note},
};

#[derive(PartialEq, Properties)]
pub(crate) struct WhyProps {
    pub(crate) store: Shared,
    pub(crate) size: PageLayout,
}

/// The tree of formulas, and an excerpt of the configuration.
#[component]
pub(crate) fn WhyPanel(props: &WhyProps) -> Html {
    let store = &props.store;
    let chosen = use_state(|| None::<TextPlace>);
    // On a phone the panel is a sheet at the lower edge, open after the user selected a figure.
    let open = use_state(|| false);
    {
        // Another figure has other lines.
        let (chosen, open) = (chosen.setter(), open.setter());
        let first = use_mut_ref(|| true);
        use_effect_with(store.selected, move |_| {
            chosen.set(None);
            if !first.replace(false) {
                open.set(true);
            }
        });
    }
    let tree = store
        .selected
        .and_then(|figure| explain(store.scenario(), &store.outcome, figure));
    let Some(tree) = tree else {
        return html! {
            <aside class="why" id="why" tabindex="-1" aria-label="Explanation" data-test="why">
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
    let toggle = Button {
        class: "quiet",
        test: Some("why-toggle".into()),
        name: None,
        text: if *open { "hide" } else { "show" }.into(),
        disabled: false,
        onclick: {
            let open = open.clone();
            Callback::from(move |_: MouseEvent| open.set(!*open))
        },
    };
    html! {
        <aside class="why" id="why" tabindex="-1" aria-label="Explanation" data-test="why">
            <h2>
                <span>{ "Why " }<span data-test="why-value">{ &tree.value }</span>{ "?" }</span>
                if props.size == PageLayout::Narrow {
                    { toggle.view() }
                }
            </h2>
            <div class="why-content" hidden={props.size == PageLayout::Narrow && !*open}>
            { explanation_tree(&tree, place, &choose, &|label| named(&store.names, label)) }
            if let Some(origin) = store.scenario().origin.as_deref() {
                if let Some(place) = place {
                    { config_excerpt(origin, place) }
                } else {
                    { note(PageMessage::ChangedValue.to_string()) }
                }
            } else {
                { note("Import a configuration to see the line of each setting.".into()) }
            }
            </div>
        </aside>
    }
}

fn first_place(node: &ExplanationNode) -> Option<TextPlace> {
    node.place
        .or_else(|| node.children.iter().find_map(first_place))
}
