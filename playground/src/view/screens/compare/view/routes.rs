//! The routes and the other settings of two imports that differ.

use std::rc::Rc;

use spillgate_codec::import::{ComparedRoute, ComparisonAnswer};
use spillgate_diff::OneSided;
use spillgate_scenario::{EditedScenario, count};
use yew::prelude::*;

use crate::{
    bridge::AskedModule,
    view::{
        parts::{cell, head, hidden_caption, note, row, scrolled},
        screens::{
            answered::{AnswerModule, use_answer},
            compare::{LISTED, RouteComparison, imported_configs},
        },
    },
};

/// The configurations of both sides; `None` if there is nothing to ask.
type Configs = Option<(String, String)>;

/// The module that compares.
const MODULE: AnswerModule<Configs, ComparisonAnswer> = AnswerModule {
    ask: |configs, done| match configs.clone() {
        Some((old, new)) => AskedModule::Comparison.ask(old, new.into_bytes(), done),
        None => AskedModule::Comparison.cancel(),
    },
    read: ComparisonAnswer::from_bytes,
    cancel: || AskedModule::Comparison.cancel(),
};

/// Asks for the differences of the routes of both sides.
#[hook]
pub(super) fn use_routes(old: &Rc<EditedScenario>, new: &Rc<EditedScenario>) -> RouteComparison {
    let configs = use_memo((Rc::clone(old), Rc::clone(new)), |(old, new)| {
        imported_configs(old, new)
    });
    let answered = use_answer(&configs, &MODULE);
    match answered.answer {
        _ if configs.is_none() => RouteComparison::Without,
        _ if answered.is_busy => RouteComparison::Loading,
        Some(answer) => RouteComparison::of(answer),
        None => RouteComparison::Failed(answered.failure),
    }
}

/// The routes, then the settings.
pub(super) fn routes(answer: &ComparisonAnswer) -> Html {
    let shown = answer.routes.iter().take(LISTED).map(route);
    let more = answer.routes.len().saturating_sub(LISTED);
    html! {
        <section class="compared" aria-label="Routes and settings">
            if !answer.routes.is_empty() {
                <h3>{ "Routes" }</h3>
                <ul data-test="compare-routes">{ for shown }</ul>
                if more > 0 {
                    { note(format!("and {} more, in the report of the command", count(more))) }
                }
            }
            { settings("compare-limits", "Settings that are not modeled and differ", &answer.limits) }
            { settings("compare-not-compared", "Settings that choose no host and differ", &answer.not_compared) }
        </section>
    }
}

fn route(of: &ComparedRoute) -> Html {
    let rows = of.rows.iter().enumerate().map(|(at, (name, text))| {
        let cells = vec![
            html! { <th scope="row">{ name }</th> },
            cell("text", None, arrows(text).into()),
        ];
        row(at.to_string(), None, cells)
    });
    html! {
        <li>
            <h4>{ arrows(&of.heading) }</h4>
            if !of.rows.is_empty() {
                { scrolled("What its requests experience", html! {
                    <table class="figures">
                        { hidden_caption("What its requests experience") }
                        { head(&[("", "what"), ("text", "change")]) }
                        <tbody>{ for rows }</tbody>
                    </table>
                }) }
            }
            if !of.example.is_empty() {
                <p class="sub">{ "Example: " }<code>{ example(&of.example) }</code></p>
            }
        </li>
    }
}

/// The lint findings of one side only.
pub(super) fn finding_lists(of: &OneSided<String>) -> Html {
    if of.is_empty() {
        return html! {};
    }
    html! {
        <section class="compared" aria-label="Lint findings">
            <h3>{ "Lint findings" }</h3>
            { settings("compare-new-findings", "New", &of.new) }
            { settings("compare-gone-findings", "Gone", &of.gone) }
        </section>
    }
}

/// A request in one line.
fn example(headers: &[(String, String)]) -> String {
    let of = |name: &str| {
        let found = headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let own = format!("{} {}{}", of(":method"), of(":authority"), of(":path"));
    let others = headers.iter().filter(|(name, _)| !name.starts_with(':'));
    let others = others.map(|(name, value)| format!("{name}: {value}"));
    let parts: Vec<String> = std::iter::once(own).chain(others).collect();
    parts.join(", ")
}

fn settings(test: &'static str, title: &str, texts: &[String]) -> Html {
    if texts.is_empty() {
        return html! {};
    }
    html! {
        <>
            <h4>{ title }</h4>
            <ul data-test={test}>{ for texts.iter().map(|text| html! { <li>{ text }</li> }) }</ul>
        </>
    }
}

fn arrows(text: &str) -> String {
    text.replace(" -> ", " \u{2192} ")
}
