//! One lesson: the rule, the question, and after the answer the result.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{Button, Status, note},
};
use spillgate_scenario::{EditedScenario, PageFigure, PageLayout};
use yew::prelude::*;

use super::{
    config::LessonConfig,
    controls::controls,
    figure::{Shown, figure},
    lesson_hosts::host_picture,
    question::LessonQuestion,
    tables::tables,
};
use crate::view::screens::lessons::{LESSONS, Lesson, LessonCell, LessonResult, LessonsInput};

/// The heading of a step, which gets the focus after a change of the step.
pub(super) const HEADING: &str = "lesson-title";

#[derive(PartialEq, Properties)]
pub(super) struct LessonViewProps {
    pub(super) input: LessonsInput,
    pub(super) size: PageLayout,
    pub(super) set: Callback<LessonsInput>,
    pub(super) on_answer: Callback<usize>,
    /// Called with the step to open.
    pub(super) go: Callback<usize>,
    pub(super) on_open: Callback<Box<EditedScenario>>,
}

/// What is shown after the answer, by the result for the initial values.
#[derive(PartialEq)]
struct Answered {
    verdicts: Vec<bool>,
    explanation: String,
    /// The figures of the rows of each table.
    cells: Vec<Vec<Vec<LessonCell>>>,
}

impl Answered {
    fn new(lesson: &Lesson) -> Self {
        let result = lesson.result(&lesson.initial());
        let tables = lesson.tables.iter();
        let cells = tables.map(|table| {
            let rows = table.rows.iter();
            rows.map(|row| (table.figures)(lesson, row.values))
                .collect()
        });
        Self {
            verdicts: lesson.verdicts(&result),
            explanation: (lesson.explain)(&result),
            cells: cells.collect(),
        }
    }
}

/// The lesson of a step.
#[component]
pub(super) fn LessonView(props: &LessonViewProps) -> Html {
    let input = &props.input;
    let Some(lesson) = input.lesson() else {
        return html! {};
    };
    // Before the answer, the question is about the initial values.
    let of = (input.step, input.answer.is_some(), input.values.clone());
    let values = use_memo(of, |(_, answered, chosen)| {
        match (answered, chosen.as_slice()) {
            (false, _) => lesson.initial(),
            (true, []) => lesson.end(),
            (true, chosen) => lesson.valid(chosen),
        }
    });
    let values = (*values).clone();
    let result = use_memo(values.clone(), |values| lesson.result(values));
    let answered = use_memo(input.answer.is_some(), |is| {
        is.then(|| Answered::new(lesson))
    });
    let selected = use_state(|| None::<PageFigure>);
    let on_values = {
        let (set, input) = (props.set.clone(), input.clone());
        Callback::from(move |values: Vec<u32>| {
            set.emit(LessonsInput {
                values,
                ..input.clone()
            });
        })
    };
    let on_again = {
        let (set, step) = (props.set.clone(), input.step);
        Callback::from(move |_: MouseEvent| {
            set.emit(LessonsInput::at(step));
            bridge::focus_id(HEADING);
        })
    };
    let choose = {
        let selected = selected.setter();
        Callback::from(move |figure: PageFigure| selected.set(Some(figure)))
    };
    let shown = Shown {
        lesson,
        result: &result,
        size: props.size,
        selected: *selected,
        choose: &choose,
    };
    let verdicts = answered.as_ref().as_ref();
    let verdicts = verdicts.map(|answered| answered.verdicts.clone());
    // The verdict has the focus after an answer; later changes are announced.
    let announced = match &*answered {
        Some(_) => result.caption(lesson.figure),
        None => String::new(),
    };
    html! {
        <>
            <section class="result lesson" id="answer" tabindex="-1" aria-label="Lesson">
                <p class="eyebrow">{ format!("Lesson {} of {}", input.step + 1, LESSONS.len()) }</p>
                <h2 class="headline" id={HEADING} tabindex="-1" data-test="lesson">{ lesson.title }</h2>
                <p class="rule">{ lesson.text }</p>
                if answered.is_none() {
                    { host_picture(&shown) }
                }
                <LessonQuestion {lesson} answer={input.answer} {verdicts} on_answer={props.on_answer.clone()} />
                if let Some(answered) = &*answered {
                    <p class="rule" data-test="lesson-explanation">{ &answered.explanation }</p>
                    if !lesson.note.is_empty() {
                        { note(lesson.note.into()) }
                    }
                    { controls(lesson, &values, &on_values) }
                    { host_picture(&shown) }
                    { figure(&shown) }
                }
                { acts(props, &result, &on_again) }
            </section>
            <div class="further">
                if let Some(answered) = &*answered {
                    { tables(lesson, &values, &answered.cells, &on_values) }
                }
                <LessonConfig {lesson} setup={Rc::clone(&result)} />
            </div>
            <Status test="lesson-status" text={announced} />
        </>
    }
}

/// The buttons below a lesson.
fn acts(props: &LessonViewProps, result: &LessonResult, on_again: &Callback<MouseEvent>) -> Html {
    let step = props.input.step;
    let answered = props.input.answer.is_some();
    let button = |class, test: &str, text: &str, onclick| {
        Button {
            class,
            test: Some(test.into()),
            name: None,
            text: text.into(),
            disabled: false,
            onclick,
        }
        .view()
    };
    let open = {
        let (on_open, scenario) = (props.on_open.clone(), result.scenario.clone());
        Callback::from(move |_: MouseEvent| on_open.emit(Box::new(scenario.clone())))
    };
    let to = |step: usize| props.go.reform(move |_: MouseEvent| step);
    let next = if step + 1 < LESSONS.len() {
        "Next lesson \u{2192}"
    } else {
        "Sandbox \u{2192}"
    };
    let main = if answered { "primary" } else { "" };
    html! {
        <>
            <div class="lesson-acts">
                if step > 0 {
                    { button("", "lesson-previous", "\u{2190} Previous", to(step - 1)) }
                }
                { button(main, "lesson-next", next, to(step + 1)) }
                if answered {
                    { button("", "lesson-open", "Open in Build", open) }
                    { button("quiet", "lesson-again", "Answer again", on_again.clone()) }
                }
            </div>
            { note("Keys: [ for the previous lesson, ] for the next one.".into()) }
        </>
    }
}
