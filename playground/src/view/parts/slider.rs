//! A slider with a number field, for users who cannot drag.

use yew::prelude::*;

use super::number::Number;
use crate::bridge;

/// The properties of a slider.
#[derive(Debug)]
pub struct Slider {
    /// Its `data-test`; unique in the playground.
    pub test: String,
    /// The visible label.
    pub label: &'static str,
    /// The name for screen readers.
    pub name: String,
    /// The current value.
    pub value: u32,
    /// The ends of the slider.
    pub range: (u32, u32),
    /// The maximum of the number field.
    pub most: u32,
    /// Called with the new value.
    pub on_value: Callback<u32>,
}

/// Label, slider, number field.
pub fn slider(of: Slider) -> Html {
    let (min, max) = of.range;
    let oninput = {
        let on_value = of.on_value.clone();
        Callback::from(move |event: InputEvent| {
            if let Ok(value) = bridge::text_of(&event).parse() {
                on_value.emit(value);
            }
        })
    };
    html! {
        <div class="slider">
            <span aria-hidden="true">{ of.label }</span>
            <input type="range" data-test={of.test.clone()} aria-label={of.name.clone()}
                min={min.to_string()} max={max.to_string()} value={of.value.to_string()} {oninput} />
            <Number test={format!("{}-number", of.test)} name={of.name} value={of.value} {min} max={of.most} on_value={of.on_value} />
        </div>
    }
}
