//! A labeled field for a line of text.

use crate::bridge;
use yew::prelude::*;

/// A field.
pub(super) struct TextField {
    /// Its `data-test`, also its id; unique in the playground.
    pub(super) test: String,
    /// The visible label.
    pub(super) label: String,
    /// An example of a value.
    pub(super) example: String,
    pub(super) value: String,
    /// Called with the text after each change.
    pub(super) on_value: Callback<String>,
}

impl TextField {
    /// The element.
    #[inline(never)]
    pub(super) fn view(self) -> Html {
        let on_value = self.on_value;
        let oninput =
            Callback::from(move |event: InputEvent| on_value.emit(bridge::text_of(&event)));
        html! {
            <div class="slider">
                <label for={self.test.clone()}>{ self.label }</label>
                <input type="text" id={self.test.clone()} data-test={self.test} placeholder={self.example} value={self.value}
                    autocomplete="off" spellcheck="false" {oninput} />
            </div>
        }
    }
}
