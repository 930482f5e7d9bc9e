//! The hosts that `LEAST_REQUEST` compared.

use crate::view::parts::{cell, head, hidden_caption, note, row};
use spillgate_core::model::SelectionMethod;
use spillgate_scenario::{count, plural};
use yew::prelude::*;

use super::host::InspectorHosts;
use crate::view::screens::trace::SampleView;

/// The table.
pub(super) fn samples(hosts: &InspectorHosts<'_>, view: &SampleView) -> Html {
    let names = view.samples.iter().map(|sample| hosts.name(sample.host));
    let names: Vec<&str> = names.collect();
    let chosen = hosts.chosen.map_or("none", |host| hosts.name(host));
    let (sentence, rule) = match view.method {
        SelectionMethod::Choices(_) => (
            format!(
                "The random choices are {}; {chosen} serves the request.",
                names.join(", ")
            ),
            "A host can be chosen more than once. The host with the fewest active requests serves, and the first of equal ones.",
        ),
        SelectionMethod::FullScan => (
            format!(
                "All {} are compared; {chosen} serves the request.",
                plural(names.len() + view.more, "host")
            ),
            "The host with the fewest active requests serves, and a random one of equal ones.",
        ),
    };
    let columns = [("text", "host"), ("", "active requests"), ("text", "")];
    let rows = view.samples.iter().enumerate().map(|(place, sample)| {
        let cells = vec![
            hosts.head(sample.host),
            cell("", None, sample.active.to_string().into()),
            hosts.serves(sample.host),
        ];
        row(place.to_string(), hosts.row_class(sample.host), cells)
    });
    html! {
        <figure class="inspector" data-test="inspector-samples">
            <figcaption>{ sentence }</figcaption>
            <div class="scroll" tabindex="0" role="region" aria-label="Compared hosts">
                <table class="figures">
                    { hidden_caption("Compared hosts with their active requests") }
                    { head(&columns) }
                    <tbody data-test="samples">{ for rows }</tbody>
                </table>
            </div>
            if view.more > 0 {
                { note(format!("And {} more hosts.", count(view.more))) }
            }
            { note(rule.into()) }
        </figure>
    }
}
