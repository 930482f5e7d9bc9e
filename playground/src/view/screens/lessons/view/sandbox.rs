//! The last step: the scenarios of the lessons, to change on the first screen.

use crate::view::parts::{Button, note};
use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use super::lesson::HEADING;
use crate::view::screens::lessons::{LESSONS, Lesson, LessonProgress};

/// A button for each scenario.
pub(super) fn sandbox(progress: &LessonProgress, on_open: &Callback<Box<EditedScenario>>) -> Html {
    let left = LESSONS.len() - progress.answered();
    let buttons = LESSONS.iter().enumerate().map(|(at, lesson)| {
        let lesson: &'static Lesson = lesson;
        let on_open = on_open.clone();
        let open = Callback::from(move |_: MouseEvent| {
            let scenario = (lesson.setup)(&lesson.initial()).scenario();
            on_open.emit(Box::new(scenario));
        });
        let button = Button {
            class: "",
            test: Some(format!("lesson-open-{}", at + 1)),
            name: Some(format!("Open the scenario of lesson {} in Build", at + 1)),
            text: lesson.title.into(),
            disabled: false,
            onclick: open,
        };
        html! { <li key={at}>{ button.view() }</li> }
    });
    html! {
        <section class="result lesson" id="answer" tabindex="-1" aria-label="Sandbox">
            <p class="eyebrow">{ "Sandbox" }</p>
            <h2 class="headline" id={HEADING} tabindex="-1" data-test="lesson">{ "Now predict your own" }</h2>
            <p class="rule">{ "Open a scenario in Build, fail hosts, change the factor or the panic threshold, and predict \
                the result before you look. Undo returns to your clusters." }</p>
            <ol class="lesson-scenarios">{ for buttons }</ol>
            if left > 0 {
                { note(format!("{left} of {} lessons have no answer yet.", LESSONS.len())) }
            }
        </section>
    }
}
