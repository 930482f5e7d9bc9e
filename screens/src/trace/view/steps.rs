//! The steps of the decision.

use spillgate_playground::{
    state::ShortNames,
    view::parts::{explanation_tree, named, note},
};
use yew::prelude::*;

use crate::trace::{StepRow, TracedRequest};

/// The steps in order, each with its figures and its derivation.
pub(super) fn steps(traced: &TracedRequest, names: &ShortNames) -> Html {
    html! {
        <>
            <ol class="steps" data-test="trace-steps">{ for traced.steps.iter().map(|row| step(row, names)) }</ol>
            { note("The scenario has clusters and no routes. For a configuration with routes, spillgate explain shows the step of the route too.".into()) }
        </>
    }
}

fn step(step: &StepRow, names: &ShortNames) -> Html {
    let figures = step.figures.iter();
    let figures = figures.map(|(name, value)| {
        html! { <li><span>{ name }</span>{ "\u{a0}" }<b>{ value }</b></li> }
    });
    let test = format!("trace-step-{}", step.name);
    html! {
        <li data-test={test}>
            <span class="kind">{ step.name }</span>
            <div class="what">
                <p>{ named(names, &step.sentence) }</p>
                <ul class="step-figures">{ for figures }</ul>
                if let Some(derivation) = &step.derivation {
                    <details class="more">
                        <summary>{ "Why this load?" }</summary>
                        { explanation_tree(derivation, None, &Callback::noop(), &|label| named(names, label)) }
                    </details>
                }
            </div>
        </li>
    }
}
