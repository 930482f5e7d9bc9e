//! The whole screen: the steps, and the open lesson.

use crate::{bridge, state::Direction, view::parts::note};
use spillgate_scenario::{EditedScenario, PageLayout, PageMessage};
use yew::prelude::*;

use super::{
    lesson::{HEADING, LessonView},
    sandbox::sandbox,
    steps::steps,
};
use crate::view::screens::{
    input::use_input,
    lessons::{LessonProgress, LessonsInput},
};

#[derive(PartialEq, Properties)]
pub(crate) struct LearnProps {
    pub(crate) size: PageLayout,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with a changed input.
    pub(crate) on_input: Callback<String>,
    /// Called with a scenario to open on the first screen.
    pub(crate) on_open: Callback<Box<EditedScenario>>,
}

/// The screen.
#[component]
pub(crate) fn Learn(props: &LearnProps) -> Html {
    let text = use_input(&props.input, &props.on_input);
    let input = LessonsInput::from_text(&text.text);
    let set = text.set.reform(|input: LessonsInput| input.to_text());
    let progress = use_state(|| LessonProgress::from_text(&bridge::kept_progress()));
    let kept = use_state(|| true);
    let go = {
        let (set, progress) = (set.clone(), (*progress).clone());
        Callback::from(move |step: usize| {
            set.emit(LessonsInput {
                answer: progress.answer(step),
                ..LessonsInput::at(step)
            });
        })
    };
    use_focus_on_change(input.step);
    use_effect_with((input.step, go.clone()), |(step, go)| {
        let (step, go) = (*step, go.clone());
        let keys = bridge::on_step_key(move |direction| match direction {
            Direction::Back if step > 0 => go.emit(step - 1),
            Direction::Forward if step + 1 < LessonsInput::STEPS => go.emit(step + 1),
            Direction::Back | Direction::Forward => {}
        });
        move || drop(keys)
    });
    let on_answer = {
        let (set, progress, kept, step) =
            (set.clone(), progress.clone(), kept.setter(), input.step);
        let values = input.values.clone();
        Callback::from(move |answer: usize| {
            let next = progress.with(step, answer);
            kept.set(bridge::keep_progress(&next.to_text()));
            progress.set(next);
            set.emit(LessonsInput {
                step,
                answer: Some(answer),
                values: values.clone(),
            });
        })
    };
    let on_reset = {
        let (set, progress, kept, step) =
            (set.clone(), progress.setter(), kept.setter(), input.step);
        Callback::from(move |_: MouseEvent| {
            kept.set(bridge::keep_progress(""));
            progress.set(LessonProgress::default());
            set.emit(LessonsInput::at(step));
        })
    };
    html! {
        <main class="what-if learn">
            { steps(&input, &progress, &go, &on_reset) }
            if !*kept {
                { note(PageMessage::ProgressNotKept.to_string()) }
            }
            if let Some(lesson) = input.lesson() {
                <LessonView key={lesson.name} input={input.clone()} size={props.size} {set} {on_answer} {go}
                    on_open={props.on_open.clone()} />
            } else {
                { sandbox(&progress, &props.on_open) }
            }
        </main>
    }
}

/// Focuses the heading when the step changes, but not when the screen opens.
#[hook]
fn use_focus_on_change(step: usize) {
    let shown = use_mut_ref(|| None::<usize>);
    use_effect_with(step, move |step| {
        if shown.borrow_mut().replace(*step).is_some() {
            bridge::focus_id(HEADING);
        }
    });
}
