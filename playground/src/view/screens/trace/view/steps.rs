//! The steps of the decision.

use crate::view::parts::{explanation_tree, named, note};
use spillgate_codec::import::TextPosition;
use spillgate_scenario::ShortNames;
use yew::prelude::*;

use crate::view::screens::trace::{ConfigLine, StepRow, StepTime, Walk};

/// The steps in order, each with its figures, its derivation and its line of the imported text. `open` is
/// called with the position of a line.
pub(super) fn steps(
    rows: &[StepRow],
    is_routed: bool,
    names: &ShortNames,
    walk: Walk,
    open: &Callback<TextPosition>,
) -> Html {
    let rows = rows
        .iter()
        .enumerate()
        .map(|(at, row)| step(row, names, walk.time_of(at), open));
    html! {
        <>
            <ol class="steps" data-test="trace-steps">{ for rows }</ol>
            if !is_routed {
                { note("This request goes straight to the cluster. Import a configuration with routes to start at the route.".into()) }
            }
        </>
    }
}

fn step(step: &StepRow, names: &ShortNames, time: StepTime, open: &Callback<TextPosition>) -> Html {
    let figures = step.figures.iter().map(|(name, value)| {
        html! { <li><span>{ name }</span>{ "\u{a0}" }<b>{ value }</b></li> }
    });
    let test = format!("trace-step-{}", step.name);
    let (class, current) = match time {
        StepTime::Reached => (None, None),
        StepTime::Current => (Some("current"), Some("step")),
        StepTime::Later => (Some("later"), None),
    };
    let choose = open.reform(|place: spillgate_scenario::TextPlace| place.position);
    html! {
        <li data-test={test.clone()} {class} aria-current={current}>
            <span class="kind">{ step.name }</span>
            <div class="what">
                <p>{ named(names, &step.sentence) }</p>
                if let Some(arithmetic) = &step.arithmetic {
                    <p class="arithmetic" data-test={format!("{test}-arithmetic")}>{ named(names, arithmetic) }</p>
                }
                <ul class="step-figures">{ for figures }</ul>
                { for step.line.iter().map(|line| config_line(line, step.name, open)) }
                if let Some(derivation) = &step.derivation {
                    <details class="more">
                        <summary>{ "Why this load?" }</summary>
                        { explanation_tree(derivation, None, &choose, &|label| named(names, label)) }
                    </details>
                }
            </div>
        </li>
    }
}

/// The line that decides a step; its button opens the import dialog there.
fn config_line(line: &ConfigLine, name: &str, open: &Callback<TextPosition>) -> Html {
    let position = line.position;
    let TextPosition {
        line: number,
        column,
    } = position;
    html! {
        <p class="config-line">
            <button type="button" class="place" data-test={format!("trace-place-{name}")} title="Open the import at this line"
                onclick={open.reform(move |_: MouseEvent| position)}>{ format!("line {number}, column {column}") }</button>
            <code>{ &line.text }</code>
        </p>
    }
}
