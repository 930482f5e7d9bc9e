//! The question of a lesson. The result is not shown before its answer.

use crate::{bridge, view::parts::Button};
use yew::prelude::*;

use crate::view::screens::lessons::{Lesson, LessonOption};

/// The verdict, which gets the focus after an answer.
const VERDICT: &str = "lesson-verdict";

#[derive(PartialEq, Properties)]
pub(super) struct LessonQuestionProps {
    pub(super) lesson: LessonRef,
    /// The index of the chosen option; `None` before the answer.
    pub(super) answer: Option<usize>,
    /// Whether each option is right; `None` before the answer.
    pub(super) verdicts: Option<Vec<bool>>,
    pub(super) on_answer: Callback<usize>,
}

/// A lesson; two are equal if they are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct LessonRef(pub(super) &'static Lesson);

impl PartialEq for LessonRef {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl From<&'static Lesson> for LessonRef {
    fn from(lesson: &'static Lesson) -> Self {
        Self(lesson)
    }
}

impl yew::html::IntoPropValue<LessonRef> for &'static Lesson {
    fn into_prop_value(self) -> LessonRef {
        self.into()
    }
}

/// The options as a group of radio buttons, then with their verdicts.
#[component]
pub(super) fn LessonQuestion(props: &LessonQuestionProps) -> Html {
    let picked = use_state(|| None::<usize>);
    let LessonRef(lesson) = props.lesson;
    let before = use_mut_ref(|| props.answer);
    use_effect_with(props.answer, move |answer| {
        // The button with the focus is gone.
        if before.replace(*answer) != *answer && answer.is_some() {
            bridge::focus_id(VERDICT);
        }
    });
    if let (Some(answer), Some(verdicts)) = (props.answer, &props.verdicts) {
        return answered(lesson, answer, verdicts);
    }
    let options = lesson.options.iter().enumerate().map(|(at, option)| {
        let onchange = {
            let picked = picked.setter();
            Callback::from(move |_: Event| picked.set(Some(at)))
        };
        html! {
            <label key={at}>
                <input type="radio" name="lesson-option" data-test={format!("lesson-option-{}", at + 1)}
                    checked={*picked == Some(at)} {onchange} />
                <span>{ option.claim.text() }</span>
            </label>
        }
    });
    let check = {
        let (on_answer, picked) = (props.on_answer.clone(), *picked);
        Callback::from(move |_: MouseEvent| {
            if let Some(picked) = picked {
                on_answer.emit(picked);
            }
        })
    };
    html! {
        <fieldset class="lesson-question">
            <legend>{ lesson.question }</legend>
            { for options }
            { Button {
                class: "primary",
                test: Some("lesson-check".into()),
                name: None,
                text: "Check".into(),
                disabled: picked.is_none(),
                onclick: check,
            }.view() }
        </fieldset>
    }
}

fn answered(lesson: &Lesson, answer: usize, verdicts: &[bool]) -> Html {
    let is_right = |at: usize| verdicts.get(at).copied().unwrap_or_default();
    let options = lesson.options.iter().enumerate().map(|(at, option)| {
        let (class, mark, word) = match (is_right(at), at == answer) {
            (true, true) => ("good", "\u{2713}", "your answer, right"),
            (true, false) => ("good", "\u{2713}", "right"),
            (false, true) => ("wrong", "\u{2717}", "your answer, wrong"),
            (false, false) => ("plain", "", ""),
        };
        html! {
            <li key={at} {class}>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span>{ option.claim.text() }</span>
                if !word.is_empty() {
                    <small>{ word }</small>
                }
            </li>
        }
    });
    let thought = lesson.options.get(answer).map_or("", LessonOption::reply);
    let (class, mark, word) = if is_right(answer) {
        ("good", "\u{2713}", "Right.")
    } else {
        ("wrong", "\u{2717}", "Wrong.")
    };
    html! {
        <div class="lesson-question">
            <p class="asked">{ lesson.question }</p>
            <ol>{ for options }</ol>
            <p class={classes!("verdict", class)} id={VERDICT} tabindex="-1" data-test="lesson-verdict">
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span><b>{ word }</b>{ " " }{ thought }</span>
            </p>
        </div>
    }
}
