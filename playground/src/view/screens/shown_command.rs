//! A command with a button that copies it.

use crate::{
    bridge,
    view::parts::{Button, note},
};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct CommandProps {
    /// The `data-test` of the command; that of its button ends with `-copy`.
    pub(crate) test: &'static str,
    /// A sentence about it.
    pub(crate) about: String,
    /// The command.
    pub(crate) line: String,
}

/// The sentence, the command, its button, and the result of copying.
#[component]
pub(crate) fn ShownCommand(props: &CommandProps) -> Html {
    let message = use_state(String::new);
    let copy = {
        let (line, message) = (props.line.clone(), message.setter());
        Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            bridge::copy(&line, move |result| message.set(result.to_string()));
        })
    };
    let copy = Button {
        class: "",
        test: Some(format!("{}-copy", props.test)),
        name: Some("Copy the command".into()),
        text: "Copy".into(),
        disabled: false,
        onclick: copy,
    };
    html! {
        <>
            { note(props.about.clone()) }
            <div class="command">
                <pre><code data-test={props.test}>{ for props.line.split(' ').enumerate().map(word) }</code></pre>
                { copy.view() }
            </div>
            <p class="note" data-said="yes" data-test={format!("{}-message", props.test)}>{ (*message).clone() }</p>
        </>
    }
}

/// A word of a command and the space before it. Only a link may wrap.
fn word((place, text): (usize, &str)) -> Html {
    let space = if place > 0 { " " } else { "" };
    let class = (text.len() > 24).then_some("long");
    html! { <>{ space }<span {class}>{ text }</span></> }
}
