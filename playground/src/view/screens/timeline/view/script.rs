//! The scenario file, its faults, and the command with the same run.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{Button, note},
};
use spillgate_codec::import::ImportFault;
use spillgate_scenario::link::Disclosure;
use yew::prelude::*;

use super::faults::faults;
use crate::view::screens::timeline::{SimulatedClusters, TimelineInput, about, command};

#[derive(PartialEq, Properties)]
pub(super) struct ScriptPanelProps {
    pub(super) input: TimelineInput,
    /// The name of the documented scenario; empty for the clusters of the playground.
    pub(super) source: String,
    pub(super) script: String,
    pub(super) on_script: Callback<String>,
    pub(super) faults: Vec<ImportFault>,
    pub(super) page: Rc<SimulatedClusters>,
    pub(super) seed: u64,
    pub(super) disclosure: Disclosure,
}

/// The text field, the list and the command.
#[component]
pub(super) fn ScriptPanel(props: &ScriptPanelProps) -> Html {
    let message = use_state(String::new);
    let oninput = props
        .on_script
        .reform(|event: InputEvent| bridge::text_of(&event));
    let undo = {
        let (on_script, script) = (props.on_script.clone(), props.input.without_last_line());
        Button {
            class: "",
            test: Some("timeline-undo".into()),
            name: None,
            text: "Remove the last event".into(),
            disabled: script.is_none(),
            onclick: {
                let source = source_script(props);
                Callback::from(move |_: MouseEvent| {
                    if let Some(next) = &script {
                        on_script.emit(next.script(&source));
                    }
                })
            },
        }
    };
    let reset = Button {
        class: "",
        test: Some("timeline-reset".into()),
        name: None,
        text: "Reset the script".into(),
        disabled: props.input.is_unchanged(),
        onclick: {
            let source = source_script(props);
            props.on_script.reform(move |_: MouseEvent| source.clone())
        },
    };
    let line = command(
        &props.source,
        &props.input,
        &props.script,
        props.seed,
        &props.page,
    );
    let copy = {
        let (line, message) = (line.clone(), message.setter());
        Button {
            class: "",
            test: Some("timeline-copy".into()),
            name: Some("Copy the command".into()),
            text: "Copy".into(),
            disabled: false,
            onclick: Callback::from(move |_: MouseEvent| {
                let message = message.clone();
                bridge::copy(&line, move |result| message.set(result.to_string()));
            }),
        }
    };
    html! {
        <>
            <div class="script">
                <h3><label for="timeline-script">{ "Script" }</label></h3>
                { note("The scenario as text: clusters, clients, gateways and events. Edit it, or add events with the buttons above.".into()) }
                <textarea id="timeline-script" data-test="timeline-script" rows="18" spellcheck="false" autocomplete="off" wrap="off"
                    aria-describedby="timeline-faults" value={props.script.clone()} {oninput} />
                <div id="timeline-faults">{ faults(&props.faults) }</div>
                <p class="copies">{ undo.view() }{ reset.view() }</p>
            </div>
            <div class="same-run">
                <h3>{ "Command" }</h3>
                { note(about(&props.script, &props.page, props.disclosure)) }
                <div class="command"><pre tabindex="0" role="region" aria-label="Command"><code data-test="timeline-command">{ line }</code></pre>{ copy.view() }</div>
                <p class="note" data-said="yes">{ (*message).clone() }</p>
            </div>
        </>
    }
}

/// The text of the source.
fn source_script(props: &ScriptPanelProps) -> String {
    match crate::view::screens::timeline::scenario_named(&props.source) {
        Some(known) => known.text.into(),
        None => props.page.script.clone(),
    }
}
