//! The headline.

use spillgate_scenario::{
    EditedScenario, ImportLimit, SentencePart, consequence, headline, limits_of,
};
use yew::prelude::*;

use crate::view::{
    Shared,
    parts::{color, named},
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
            { limits(store.scenario()) }
            <p class="sub" data-test="consequence">{ named(names, &consequence(store.scenario(), &store.outcome)) }</p>
        </div>
    }
}

/// The settings of the import that are not modeled and concern the shown cluster.
pub(crate) fn limits(scenario: &EditedScenario) -> Html {
    html! { <>{ for limits_of(scenario).into_iter().map(limit) }</> }
}

/// A setting of the import that is not modeled.
fn limit(limit: &ImportLimit) -> Html {
    let line = limit.position.map(|at| format!(" (line {})", at.line));
    html! {
        <p class="sub" data-test="limit">{ "Can differ: " }{ &limit.effect }{ line.unwrap_or_default() }</p>
    }
}

fn eyebrow(scenario: &EditedScenario) -> String {
    let name = scenario.name(scenario.root());
    match scenario.aggregate(scenario.root()) {
        Some(aggregate) => {
            let count = aggregate.members.len();
            format!("aggregate {name} of {count} clusters")
        }
        None => format!("cluster {name}"),
    }
}
