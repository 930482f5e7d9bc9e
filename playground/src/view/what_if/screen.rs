//! The whole screen: input, result, chart, matrix and expectations.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    super::Shared,
    chart::chart,
    expectations::Expectations,
    matrix::matrix,
    table::{before_and_after, table},
};
use crate::{
    state::{
        PageMessage, Size,
        what_if::{Question, Stage, answer},
    },
    view::{
        answer::strip,
        frame::Status,
        parts::{Choice, Slider, slider},
    },
};

#[derive(PartialEq, Properties)]
pub(in super::super) struct WhatIfProps {
    pub(in super::super) store: Shared,
    pub(in super::super) size: Size,
    /// The input; the page keeps it while the screen is closed.
    pub(in super::super) question: UseStateHandle<Question>,
}

/// The screen.
#[component]
pub(in super::super) fn WhatIf(props: &WhatIfProps) -> Html {
    let question = &props.question;
    // The sweep is most of the work, and it does not depend on the slider.
    let stage = use_memo(
        (props.store.clone(), question.selector.clone()),
        |(store, selector)| Stage::new(store.scenario(), selector).map(Rc::new),
    );
    let Some(stage) = &*stage else {
        return html! { <main class="what-if"><p>{ PageMessage::NoHosts.to_string() }</p></main> };
    };
    let with = |change: fn(&mut Question, String)| {
        let question = question.clone();
        Callback::from(move |value: String| {
            let mut next = (*question).clone();
            change(&mut next, value);
            question.set(next);
        })
    };
    let on_percent = {
        let question = question.clone();
        Callback::from(move |percent: u32| {
            question.set(Question {
                percent: percent.min(100),
                ..(*question).clone()
            });
        })
    };
    let options = stage.options.iter();
    let options: Vec<(String, String)> = options
        .map(|option| (option.selector.clone(), option.title.clone()))
        .collect();
    let answer = Rc::new(answer(stage, question.percent));
    let store = &props.store;
    html! {
        <main class="what-if">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "What if hosts fail?" }</h2>
                <p class="headline" data-test="what-if-headline">{ answer.headline.clone() }</p>
                <p class="sub" data-test="what-if-lost">{ answer.lost_hosts.clone() }</p>
                <div class="question">
                    <Choice id="loss-of" test="loss-of" label="lost hosts" name="Lost hosts" {options}
                        value={stage.chosen.selector.clone()} on_value={with(|question, value| question.selector = value)} />
                    { slider(Slider {
                        test: "loss".into(),
                        label: "percent",
                        name: format!("Lost hosts of {} in percent, rounded to whole hosts", stage.chosen.title),
                        value: question.percent,
                        range: (0, 100),
                        most: 100,
                        on_value: on_percent,
                    }) }
                </div>
                { before_and_after(&answer, props.size) }
                { table(&answer) }
                { strip("what-if-facts", answer.facts.clone()) }
            </section>
            <div class="further">
                { chart(stage, &answer) }
                { matrix(stage) }
                <Expectations store={store.clone()} question={question.clone()} stage={Rc::clone(stage)} answer={Rc::clone(&answer)} />
            </div>
            <Status test="what-if-status" text={answer.headline.clone()} />
        </main>
    }
}
