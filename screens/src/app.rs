//! The open screen.

use std::rc::Rc;

use spillgate_playground::{
    bridge,
    state::{CommandInput, PageMessage, PageScenario, Screen, ScreenAction, Size, link},
    view::parts::note,
};
use yew::prelude::*;

use crate::{what_if::WhatIf, zones::Zones};

/// What the page passes to a screen.
#[derive(PartialEq, Properties)]
pub(crate) struct ScreenProps {
    pub(crate) screen: Screen,
    /// The scenario as a link.
    pub(crate) fragment: String,
    /// What the user entered on the screen; empty at first.
    pub(crate) input: String,
    pub(crate) command: CommandInput,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen for a scenario.
#[component]
pub(crate) fn ScreenApp(props: &ScreenProps) -> Html {
    let scenario = use_memo(props.fragment.clone(), |fragment| {
        link::read(fragment).map(|scenario: PageScenario| Rc::new(scenario))
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
    let scenario = match &*scenario {
        Ok(scenario) => Rc::clone(scenario),
        // Only a module of another version cannot read the page's own link.
        Err(error) => {
            return html! { <main>{ note(PageMessage::BadLink(error).to_string()) }</main> };
        }
    };
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
