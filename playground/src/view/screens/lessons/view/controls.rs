//! The controls that vary a lesson.

use crate::view::parts::{Choice, Slider, slider};
use yew::prelude::*;

use crate::view::screens::lessons::{Lesson, LessonControl, LessonValues};

/// A slider or a list for each control.
pub(super) fn controls(
    lesson: &'static Lesson,
    values: &[u32],
    on_values: &Callback<Vec<u32>>,
) -> Html {
    let controls = lesson.controls.iter().zip(values).enumerate();
    let fields = controls.map(|(at, (control, value))| {
        let all = values.to_vec();
        let on_value = on_values.reform(move |value: u32| {
            let mut next = all.clone();
            if let Some(changed) = next.get_mut(at) {
                *changed = value;
            }
            next
        });
        field(
            control,
            *value,
            format!("lesson-value-{}", at + 1),
            on_value,
        )
    });
    html! {
        <div class="question">
            <h3>{ "Vary it" }</h3>
            { for fields }
        </div>
    }
}

fn field(
    control: &'static LessonControl,
    value: u32,
    test: String,
    on_value: Callback<u32>,
) -> Html {
    match &control.values {
        LessonValues::Range(least, most) => slider(Slider {
            test,
            label: control.label,
            name: control.name.into(),
            value,
            range: (*least, *most),
            most: *most,
            on_value,
        }),
        LessonValues::Texts(texts) => {
            let options = texts.iter().enumerate();
            let options: Vec<(String, String)> = options
                .map(|(at, text)| (at.to_string(), (*text).to_owned()))
                .collect();
            let on_value = Callback::from(move |chosen: String| {
                if let Ok(chosen) = chosen.parse() {
                    on_value.emit(chosen);
                }
            });
            html! {
                <Choice id={test.clone()} {test} label={control.label} name={control.name.to_owned()} {options}
                    value={value.to_string()} {on_value} />
            }
        }
    }
}
