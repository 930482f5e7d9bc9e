//! Commands to try with the demo, each with a button that copies it.

use crate::{bridge, view::parts::Button};
use yew::prelude::*;

use crate::view::screens::live::LiveCommand;

#[derive(PartialEq, Properties)]
pub(super) struct CommandsProps {
    pub(super) commands: Vec<LiveCommand>,
}

/// The list.
#[component]
pub(super) fn Commands(props: &CommandsProps) -> Html {
    let message = use_state(String::new);
    let items = props.commands.iter().map(|command| {
        let onclick = {
            let (text, message) = (command.text.clone(), message.setter());
            Callback::from(move |_: MouseEvent| {
                let message = message.clone();
                bridge::copy(&text, move |result| message.set(result.to_string()));
            })
        };
        let copy = Button {
            class: "",
            test: Some(format!("live-command-copy-{}", command.id)),
            name: Some(format!("Copy: {}", command.title)),
            text: "Copy".into(),
            disabled: false,
            onclick,
        };
        html! {
            <li key={command.id}>
                <p class="note">{ &command.title }</p>
                <div class="command">
                    <pre data-test={format!("live-command-{}", command.id)}><code>{ &command.text }</code></pre>
                    { copy.view() }
                </div>
            </li>
        }
    });
    html! {
        <section class="live-commands" aria-label="Commands of the demo">
            <h3>{ "Try with this demo" }</h3>
            <ul>{ for items }</ul>
            <p class="note" data-said="yes">{ (*message).clone() }</p>
        </section>
    }
}
