//! The steps and the progress.

use crate::view::parts::Button;
use yew::prelude::*;

use crate::view::screens::lessons::{LESSONS, LessonProgress, LessonsInput};

/// A button for each lesson and the sandbox, and the number of answered lessons.
pub(super) fn steps(
    input: &LessonsInput,
    progress: &LessonProgress,
    go: &Callback<usize>,
    on_reset: &Callback<MouseEvent>,
) -> Html {
    let buttons = (0..LessonsInput::STEPS).map(|step| {
        let current = input.step == step;
        let answered = progress.answer(step).is_some();
        let (text, title) = match LESSONS.get(step) {
            Some(lesson) => ((step + 1).to_string(), lesson.title),
            None => ("Sandbox".to_owned(), "Try your own clusters"),
        };
        let name = match (LESSONS.get(step), answered) {
            (Some(_), true) => format!("Lesson {text}: {title}, answered"),
            (Some(_), false) => format!("Lesson {text}: {title}"),
            (None, _) => format!("{text}: {title}"),
        };
        let onclick = go.reform(move |_: MouseEvent| step);
        html! {
            <li key={step}>
                <button type="button" data-test={format!("lesson-{}", step + 1)} class={classes!(answered.then_some("answered"))}
                    aria-current={current.then_some("step")} aria-label={name} {title} {onclick}>
                    { text }
                    if answered {
                        <span aria-hidden="true">{ "\u{2713}" }</span>
                    }
                </button>
            </li>
        }
    });
    let answered = progress.answered();
    html! {
        <nav class="lesson-steps" aria-label="Lessons">
            <ol>{ for buttons }</ol>
            <p class="note" data-test="lesson-progress">{ format!("{answered} of {} answered", LESSONS.len()) }</p>
            if answered > 0 {
                { Button {
                    class: "quiet",
                    test: Some("lesson-reset".into()),
                    name: Some("Reset the progress of the lessons".into()),
                    text: "reset".into(),
                    disabled: false,
                    onclick: on_reset.clone(),
                }.view() }
            }
        </nav>
    }
}
