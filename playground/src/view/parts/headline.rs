//! The sentence of a headline.

use spillgate_scenario::{Headline, ResultSeverity, ResultVerdict, SentencePart, ShortNames};
use yew::prelude::*;

use super::{color, named};

/// The severity with its icon, and the sentence with the colors of the priorities.
pub fn headline(of: Headline, names: &ShortNames, test: &'static str) -> Html {
    let severity = of.severity;
    let alarm = severity.is_alarm().then_some("alarm");
    let parts = of.parts.into_iter().map(|part| match part {
        SentencePart::Text(text) => html! { <>{ text }</> },
        SentencePart::Name(name, line) => {
            html! { <b class={classes!("marked", color(line))}>{ named(names, &name) }</b> }
        }
    });
    html! {
        <h2 class={classes!("headline", alarm)} data-test={test}>
            { verdict(ResultVerdict { severity, label: of.label }) }{ ": " }
            { for parts }
        </h2>
    }
}

/// A severity with its icon and its word.
pub fn verdict(of: ResultVerdict) -> Html {
    let good = (of.severity == ResultSeverity::Well).then_some("good");
    html! { <span class={classes!("severity", good)}>{ icon(of.severity) }{ of.label }</span> }
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
