//! The same requests in the shipped filter: both results, and whether they are equal.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, ShippedAnswer, count, route_metadata};
use yew::prelude::*;

use crate::{
    bridge,
    view::{
        parts::{cell, head, hidden_caption, note, row},
        screens::trace::{
            ComparedCount, ComparedValue, ShippedComparison, ShippedQuestion, TraceInput,
            TraceStage,
        },
        share::{FilterRun, write_run},
    },
};

/// The maximum number of listed hosts.
const MOST: usize = 100;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ShippedProps {
    pub(super) stage: Rc<TraceStage>,
    pub(super) scenario: Rc<EditedScenario>,
    /// The input without what the filter does not depend on.
    pub(super) input: TraceInput,
}

/// The latest result, and what it is the result of.
#[derive(Clone, PartialEq)]
struct ShownResult {
    of: ShippedProps,
    limits: Vec<&'static str>,
    result: ShippedResult,
}

/// The result of a run.
#[derive(Clone, PartialEq)]
enum ShippedResult {
    Compared {
        comparison: ShippedComparison,
        filter: ShippedAnswer,
        /// What the filter's configuration omits, as sentences; empty if it is complete.
        omitted: String,
    },
    /// Why there is no decision.
    Without(String),
}

/// The section. A previous result remains until the next one.
#[component]
pub(super) fn Shipped(props: &ShippedProps) -> Html {
    let shown = use_state(|| None::<ShownResult>);
    {
        let shown = shown.setter();
        use_effect_with(props.clone(), move |props| {
            let of = props.clone();
            let question = ShippedQuestion::new(&of.stage, &of.input);
            let (request, criteria) = (question.request.clone(), question.criteria.clone());
            let route = route_metadata(&criteria);
            let show = move |of, limits, result| {
                shown.set(Some(ShownResult { of, limits, result }));
            };
            write_run(
                Rc::clone(&of.scenario),
                request,
                criteria,
                move |run| match run {
                    Ok(FilterRun { texts, omitted }) => {
                        bridge::run_shipped(texts, route, move |answer| {
                            let result = result(&question, &of.stage, answer, omitted);
                            show(of, question.limits, result);
                        });
                    }
                    Err(reason) => {
                        show(of, question.limits, ShippedResult::Without(reason));
                    }
                },
            );
        });
    }
    let is_busy = shown.as_ref().is_none_or(|shown| shown.of != *props);
    let (sentence, details) = match &*shown {
        None => ("Loading spillgate.wasm\u{2026}".to_owned(), html! {}),
        Some(shown) => match &shown.result {
            ShippedResult::Without(reason) => (reason.clone(), html! {}),
            ShippedResult::Compared {
                comparison,
                filter,
                omitted,
            } => {
                let details = html! {
                    <>
                        { table(comparison) }
                        { for shown.limits.iter().map(|limit| note((*limit).into())) }
                        if !omitted.is_empty() {
                            { note(format!("The filter's configuration omits: {omitted}")) }
                        }
                        { json(comparison) }
                        { facts(filter) }
                    </>
                };
                (comparison.sentence.clone(), details)
            }
        },
    };
    html! {
        <section class="shipped" aria-label="Shipped filter" aria-busy={is_busy.to_string()} data-test="filter">
            <h3>{ "In the shipped filter" }</h3>
            <p class="sub" data-said="yes" data-test="filter-sentence">{ sentence }</p>
            { details }
        </section>
    }
}

fn result(
    question: &ShippedQuestion,
    stage: &TraceStage,
    answer: Result<ShippedAnswer, String>,
    omitted: String,
) -> ShippedResult {
    match answer {
        Ok(filter) => match &filter.refusal {
            Some(log) => ShippedResult::Without(format!(
                "spillgate.wasm rejects the configuration of this scenario: {log}"
            )),
            None => ShippedResult::Compared {
                comparison: ShippedComparison::new(&filter.decisions, &question.decisions(stage)),
                filter,
                omitted,
            },
        },
        Err(reason) => ShippedResult::Without(format!("Cannot run spillgate.wasm: {reason}.")),
    }
}

fn table(comparison: &ShippedComparison) -> Html {
    let is_one = comparison.requests == 1;
    let (first, label, class, rows): (_, _, _, Vec<Html>) = if is_one {
        let rows = comparison.values.iter().map(value);
        (
            "result",
            "Decision of both sides",
            "figures values",
            rows.collect(),
        )
    } else {
        let rows = comparison.counts.iter().take(MOST).map(host);
        (
            "first host",
            "Requests by host on both sides",
            "figures",
            rows.collect(),
        )
    };
    let columns = [
        ("text", first),
        ("text", "spillgate.wasm"),
        ("text", "model"),
    ];
    let more = comparison.counts.len().saturating_sub(MOST);
    html! {
        <>
            <table {class}>
                { hidden_caption(label) }
                { head(&columns) }
                <tbody data-test="filter-table">{ for rows }</tbody>
            </table>
            if is_one {
                { note("Envoy gets cluster and host list in the headers x-spillgate-cluster and x-spillgate-host.".into()) }
            }
            if !is_one && more > 0 {
                { note(format!("And {} more hosts.", count(more))) }
            }
            if !is_one {
                { note(format!("Different decisions: {} of {}. Each compares local response, cluster and host list.",
                    comparison.differing, comparison.requests)) }
            }
        </>
    }
}

fn value(of: &ComparedValue) -> Html {
    let name = html! { <span>{ of.name }</span> };
    let values = [of.filter.clone(), of.model.clone()];
    line(&of.name.replace(' ', "-"), name, values, of.is_equal())
}

fn host(of: &ComparedCount) -> Html {
    let name = match of.host.as_str() {
        "" => "no host (503)",
        host => host,
    };
    let counts = [of.filter, of.model].map(|count| count.to_string());
    let shown = html! { <span class="address">{ name.to_owned() }</span> };
    line(name, shown, counts, of.filter == of.model)
}

/// A row with the values of both sides. `name` is that of tests.
fn line(name: &str, shown: Html, [filter, model]: [String; 2], is_equal: bool) -> Html {
    let test = |side: &str| Some(format!("filter-{side}-{name}"));
    let (mark, class) = if is_equal {
        ("equal", None)
    } else {
        ("different", Some("differs"))
    };
    let cells = vec![
        html! {
            <th scope="row">{ shown }{ " " }<small {class}>{ mark }</small></th>
        },
        cell("text", test("shipped"), filter.into()),
        cell("text", test("model"), model.into()),
    ];
    row(name.to_owned(), None, cells)
}

/// The decision as JSON: once if both are equal.
fn json(comparison: &ShippedComparison) -> Html {
    let (title, texts) = match comparison.json.as_slice() {
        [] => return html! {},
        texts @ [_] => ("Decision as JSON, equal in every byte", texts),
        texts => ("Decisions as JSON: spillgate.wasm, then the model", texts),
    };
    html! {
        <details class="more">
            <summary>{ title }</summary>
            { for texts.iter().map(|text| html! { <pre data-test="filter-json">{ text }</pre> }) }
        </details>
    }
}

/// Which filter ran.
fn facts(filter: &ShippedAnswer) -> Html {
    let hash = match filter.sha256.as_str() {
        "" => html! { { "SHA-256 only on HTTPS or localhost" } },
        hash => html! { <>{ "SHA-256 " }<code>{ hash.to_owned() }</code></> },
    };
    html! {
        <p class="note" data-test="filter-facts">
            { format!("spillgate.wasm {}, {} bytes, ", env!("CARGO_PKG_VERSION"), count(filter.size)) }{ hash }
        </p>
    }
}
