//! The open screen.

use std::rc::Rc;

use spillgate_codec::import::scenarios_from_bytes;
use spillgate_playground::{
    bridge,
    state::{CommandInput, PageMessage, PageScenario, Screen, ScreenAction, Size},
    view::parts::note,
};
use yew::prelude::*;

use crate::{what_if::WhatIf, zones::Zones};

/// What the page passes to a screen.
#[derive(PartialEq, Properties)]
pub(crate) struct ScreenProps {
    pub(crate) screen: Screen,
    /// The scenario as bytes.
    pub(crate) scenario: Rc<[u8]>,
    /// What the user entered on the screen; empty at first.
    pub(crate) input: String,
    pub(crate) command: CommandInput,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen for a scenario.
#[component]
pub(crate) fn ScreenApp(props: &ScreenProps) -> Html {
    let scenario = use_memo(Rc::clone(&props.scenario), |bytes| {
        let read: Option<Vec<PageScenario>> = scenarios_from_bytes(bytes);
        read.and_then(|scenarios| scenarios.into_iter().next().map(Rc::new))
    });
    let size = use_state(bridge::layout);
    {
        let size = size.setter();
        use_effect_with((), move |()| {
            let layout = bridge::on_layout_change(move |layout| size.set(layout));
            move || drop(layout)
        });
    }
    let size: Size = *size;
    let Some(scenario) = &*scenario else {
        return html! { <main>{ note(PageMessage::UnknownAnswer.to_string()) }</main> };
    };
    let scenario = Rc::clone(scenario);
    let input = props.input.clone();
    let on_input = props.on_action.reform(ScreenAction::Input);
    match props.screen {
        Screen::Build => html! {},
        Screen::WhatIf => html! {
            <WhatIf {scenario} {size} {input} {on_input} command={props.command.clone()} />
        },
        Screen::Zones => {
            let on_cluster = props.on_action.reform(ScreenAction::Cluster);
            html! { <Zones {scenario} {input} {on_input} {on_cluster} /> }
        }
    }
}
