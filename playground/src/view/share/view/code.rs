//! A text to copy.

use yew::prelude::*;

use crate::{bridge, view::parts::Button};

/// The text, and a button that copies it. `on_message` gets the result.
#[inline(never)]
pub(super) fn code(
    test: &'static str,
    name: &'static str,
    text: String,
    on_message: Callback<String>,
) -> Html {
    let copy = {
        let text = text.clone();
        Callback::from(move |_: MouseEvent| {
            let on_message = on_message.clone();
            bridge::copy(&text, move |result| on_message.emit(result.to_string()));
        })
    };
    let button = Button {
        class: "",
        test: Some(format!("{test}-copy")),
        name: Some(format!("Copy the {name}")),
        text: "Copy".into(),
        disabled: false,
        onclick: copy,
    };
    // Keyboard users scroll long lines.
    html! {
        <div class="code">
            <pre tabindex="0" role="group" aria-label={name} data-test={test}>{ text.trim_end().to_owned() }</pre>
            { button.view() }
        </div>
    }
}
