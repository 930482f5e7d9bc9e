//! The headline.

use spillgate_scenario::{
    EditedScenario, Headline, ImportLimit, ResultSeverity, SentencePart, limits_of,
};
use yew::prelude::*;

use crate::view::{
    Shared,
    parts::{color, named},
};

/// The cluster, the worst that is true of it, and the reason.
pub(crate) fn answer(store: &Shared) -> Html {
    let names = &store.names;
    let headline = Headline::of(&store.outcome);
    let severity = headline.severity;
    let alarm = severity.is_alarm().then_some("alarm");
    let good = (severity == ResultSeverity::Well).then_some("good");
    let parts = headline.parts.into_iter().map(|part| match part {
        SentencePart::Text(text) => html! { <>{ text }</> },
        SentencePart::Name(name, line) => {
            html! { <b class={classes!("marked", color(line))}>{ named(names, &name) }</b> }
        }
    });
    html! {
        <div class="answer">
            <p class="eyebrow">{ eyebrow(store.scenario()) }</p>
            <h2 class={classes!("headline", alarm)} data-test="headline">
                <span class={classes!("severity", good)}>{ icon(severity) }{ headline.label }{ ":" }</span>
                { " " }
                { for parts }
            </h2>
            { limits(store.scenario()) }
            <p class="sub" data-test="reason">{ named(names, &headline.reason) }</p>
            <p class="sub hint">{ "Tap a host below to fail it." }</p>
        </div>
    }
}

/// The shape of a severity, which shows it without its color.
fn icon(severity: ResultSeverity) -> Html {
    let path = match severity {
        // A triangle with a mark: requests fail or can fail.
        ResultSeverity::NoHost | ResultSeverity::Panic | ResultSeverity::Overload => {
            "M10,2L19,18H1ZM9,7h2v6h-2zM9,14.5h2v2h-2z"
        }
        // Steps down.
        ResultSeverity::Spillover | ResultSeverity::Degraded => "M2,4h6v6h6v6h4v2h-6v-6h-6v-6h-4z",
        // A check mark.
        ResultSeverity::Well => "M3,10l2-2l3,3l7-7l2,2l-9,9z",
        // A question mark.
        ResultSeverity::Unknown => {
            "M6,7a4,4 0 1 1 5,4v2h-2v-3.5a2.2,2.2 0 1 0-1-2.5zM9,14.5h2v2h-2z"
        }
    };
    html! {
        <svg viewBox="0 0 20 20" aria-hidden="true"><path fill-rule="evenodd" d={path} /></svg>
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
