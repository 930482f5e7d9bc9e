//! The headline.

use spillgate_scenario::{EditedScenario, Headline, ImportLimit, limits_of};
use yew::prelude::*;

use crate::view::{
    Shared,
    parts::{headline, named},
};

/// The cluster, the worst that is true of it, and the reason.
pub(crate) fn answer(store: &Shared) -> Html {
    let names = &store.names;
    let of = Headline::of(&store.outcome);
    let reason = of.reason.clone();
    html! {
        <div class="answer">
            <p class="eyebrow">{ eyebrow(store.scenario()) }</p>
            { headline(of, names, "headline") }
            { limits(store.scenario()) }
            <p class="sub" data-test="reason">{ named(names, &reason) }</p>
            <p class="sub hint">{ "Tap a host below to fail it." }</p>
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
            format!("Envoy aggregate {name} of {count} clusters")
        }
        None => format!("Envoy cluster {name}"),
    }
}
