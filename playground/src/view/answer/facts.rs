//! Facts about further losses, and the commands for the running demo.

use spillgate_scenario::facts;
use yew::prelude::*;

use crate::{
    bridge,
    state::demo_commands,
    view::{
        Shared,
        parts::{Button, strip},
    },
};

/// The facts of the scenario.
pub(crate) fn fact_strip(store: &Shared) -> Html {
    strip(
        "facts",
        facts(store.scenario(), &store.outcome),
        &store.names,
    )
}

#[derive(PartialEq, Properties)]
pub(crate) struct DemoProps {
    pub(crate) store: Shared,
}

/// The commands for the running demo, if the playground shows its topology.
#[component]
pub(crate) fn DemoCommands(props: &DemoProps) -> Html {
    let message = use_state(String::new);
    let Some(commands) = demo_commands(props.store.scenario()) else {
        return html! {};
    };
    let onclick = {
        let (commands, message) = (commands.clone(), message.setter());
        Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            bridge::copy(&commands, move |result| message.set(result.to_string()));
        })
    };
    let copy = Button {
        class: "",
        test: Some("demo-copy".into()),
        name: Some("Copy the commands".into()),
        text: "Copy".into(),
        disabled: false,
        onclick,
    };
    html! {
        <div class="demo">
            <p>{ "The same state in the running demo:" }</p>
            <div class="command">
                <pre data-test="demo-commands"><code>{ commands }</code></pre>
                { copy.view() }
            </div>
            <p class="note" data-said="yes">{ (*message).clone() }</p>
        </div>
    }
}
