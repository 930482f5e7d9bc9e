//! The whole screen: input, result, chart, matrix and expectations.

use std::rc::Rc;

use crate::{
    state::CommandInput,
    view::parts::{Choice, Slider, Status, named, slider, strip},
};
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::{
    chart::chart,
    expectations::Expectations,
    matrix::matrix,
    table::{before_and_after, table},
};
use crate::view::screens::{
    input::use_input,
    what_if::{Question, Stage, answer},
};

#[derive(PartialEq, Properties)]
pub(crate) struct WhatIfProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The question as a text.
    pub(crate) input: String,
    /// Called with a changed question.
    pub(crate) on_input: Callback<String>,
    pub(crate) command: CommandInput,
}

/// The screen.
#[component]
pub(crate) fn WhatIf(props: &WhatIfProps) -> Html {
    let input = use_input(&props.input, &props.on_input);
    let question = Question::from_text(&input.text);
    let on_question = {
        let set = input.set.clone();
        Callback::from(move |question: Question| set.emit(question.to_text()))
    };
    // The sweep is most of the work, and it does not depend on the slider.
    let stage = use_memo(
        (Rc::clone(&props.scenario), question.selector.clone()),
        |(scenario, selector)| Stage::new(scenario, selector).map(Rc::new),
    );
    let Some(stage) = &*stage else {
        return html! { <main class="what-if"><p>{ PageMessage::NoHosts.to_string() }</p></main> };
    };
    let on_selector = {
        let (question, on_question) = (question.clone(), on_question.clone());
        Callback::from(move |selector: String| {
            on_question.emit(Question {
                selector,
                ..question.clone()
            });
        })
    };
    let on_percent = {
        let (question, on_question) = (question.clone(), on_question.clone());
        Callback::from(move |percent: u32| {
            on_question.emit(Question {
                percent: percent.min(100),
                ..question.clone()
            });
        })
    };
    let names = &stage.names;
    let options = stage.options.iter();
    let options: Vec<(String, String)> = options
        .map(|option| (option.selector.clone(), names.in_text(&option.title)))
        .collect();
    let answer = Rc::new(answer(stage, question.percent));
    html! {
        <main class="what-if">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "What if hosts fail?" }</h2>
                <p class="headline" data-test="what-if-headline">{ named(names, &answer.headline) }</p>
                <p class="sub" data-test="what-if-lost">{ answer.lost_hosts.clone() }</p>
                <div class="question">
                    <Choice id="loss-of" test="loss-of" label="lost hosts" name="Lost hosts" {options}
                        value={stage.chosen.selector.clone()} on_value={on_selector} />
                    { slider(Slider {
                        test: "loss".into(),
                        label: "percent",
                        name: format!("Lost hosts of {} in percent, rounded to whole hosts", stage.chosen.title),
                        value: question.percent,
                        range: (0, 100),
                        most: 100,
                        on_value: on_percent.clone(),
                    }) }
                </div>
                { before_and_after(&answer) }
                { table(&answer, names) }
                { strip("what-if-facts", answer.facts.clone(), names) }
            </section>
            <div class="further">
                { chart(stage, &answer, &on_percent) }
                { matrix(stage, &question, &on_question) }
                <Expectations {question} {on_question} stage={Rc::clone(stage)} answer={Rc::clone(&answer)}
                    command={props.command.clone()} scenario={Rc::clone(&props.scenario)} />
            </div>
            <Status test="what-if-status" text={answer.headline.clone()} />
        </main>
    }
}
