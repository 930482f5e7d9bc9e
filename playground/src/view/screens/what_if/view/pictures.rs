//! The spillway before and after the loss.

use crate::view::parts::{DrawnOutcome, spillway_figure};
use spillgate_scenario::{PageLayout, ScenarioOutcome, ShortNames};
use yew::prelude::*;

use crate::view::screens::what_if::{LossAnswer, Stage};

/// Both figures, side by side or below each other.
pub(super) fn pictures(stage: &Stage, answer: &LossAnswer, names: &ShortNames) -> Html {
    let choose = Callback::noop();
    let picture = |test: &'static str, title: &'static str, outcome: &ScenarioOutcome| {
        let drawn = DrawnOutcome {
            scenario: &stage.scenario,
            outcome,
            names,
            selected: None,
            choose: &choose,
        };
        html! {
            <div data-test={test}>
                <h3>{ title }</h3>
                { spillway_figure(&drawn, PageLayout::Narrow) }
            </div>
        }
    };
    html! {
        <section class="pictures" aria-label="Before and after">
            { picture("before", "Before", &stage.before) }
            { picture("after", "After", &answer.after) }
            <p class="note">{ "Walls: the share of all requests that a priority has enough healthy hosts for. Water: the share that it gets. Hatched: more than it has hosts for." }</p>
        </section>
    }
}
