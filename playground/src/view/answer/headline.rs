//! The headline.

use yew::prelude::*;

use crate::{
    state::{PageScenario, SentencePart, consequence, headline},
    view::{
        Shared,
        parts::{color, named},
    },
};

/// The cluster, its traffic, and the consequence.
pub(crate) fn answer(store: &Shared) -> Html {
    let names = &store.names;
    let parts = headline(&store.outcome).into_iter().map(|part| match part {
        SentencePart::Text(text) => html! { <>{ text }</> },
        SentencePart::Name(name, line) => {
            html! { <b class={classes!("marked", color(line))}>{ named(names, &name) }</b> }
        }
    });
    html! {
        <div class="answer">
            <p class="eyebrow">{ eyebrow(store.scenario()) }</p>
            <h2 class="headline" data-test="headline">{ for parts }</h2>
            <p class="sub" data-test="consequence">{ named(names, &consequence(store.scenario(), &store.outcome)) }</p>
        </div>
    }
}

fn eyebrow(scenario: &PageScenario) -> String {
    let name = scenario.name(scenario.root());
    match scenario.aggregate(scenario.root()) {
        Some(aggregate) => {
            let count = aggregate.members.len();
            format!("aggregate {name} of {count} clusters")
        }
        None => format!("cluster {name}"),
    }
}
