//! The open screen.

use std::rc::Rc;

use spillgate_codec::import::scenarios_from_bytes;
use spillgate_playground::{
    bridge,
    state::{Screen, ScreenAction, ScreenInput},
    view::parts::note,
};
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

#[cfg(feature = "lessons")]
use crate::lessons::Learn;
#[cfg(feature = "live")]
use crate::live::{Following, Live};
#[cfg(feature = "timeline")]
use crate::timeline::Timeline;
#[cfg(feature = "inspectors")]
use crate::trace::Further;
#[cfg(feature = "requests")]
use crate::trace::Trace;
#[cfg(feature = "failures")]
use crate::{what_if::WhatIf, zones::Zones};

/// What the page passes to a screen.
#[derive(PartialEq, Properties)]
pub(crate) struct ScreenProps {
    /// The scenario and the one before the latest step, as bytes.
    pub(crate) scenarios: Rc<[u8]>,
    pub(crate) input: ScreenInput,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen for a scenario.
#[component]
pub(crate) fn ScreenApp(props: &ScreenProps) -> Html {
    let scenarios = use_memo(Rc::clone(&props.scenarios), |bytes| {
        let read: Option<Vec<EditedScenario>> = scenarios_from_bytes(bytes);
        read.map(|scenarios| scenarios.into_iter().map(Rc::new).collect::<Vec<_>>())
    });
    let size = use_state(bridge::layout);
    {
        let size = size.setter();
        use_effect_with((), move |()| {
            let layout = bridge::on_layout_change(move |layout| size.set(layout));
            move || drop(layout)
        });
    }
    #[cfg(feature = "lessons")]
    let size = *size;
    let mut scenarios = scenarios.iter().flatten().cloned();
    let scenario = scenarios.next();
    #[cfg(any(feature = "requests", feature = "inspectors"))]
    let before = scenarios.next();
    let Some(scenario) = scenario else {
        return html! { <main>{ note(PageMessage::UnknownScenario.to_string()) }</main> };
    };
    let input = props.input.input.clone();
    #[cfg(any(feature = "failures", feature = "lessons", feature = "timeline"))]
    let on_input = props.on_action.reform(ScreenAction::Input);
    match props.input.screen {
        #[cfg(feature = "failures")]
        Screen::WhatIf => html! {
            <WhatIf {scenario} {input} {on_input} command={props.input.command.clone()} />
        },
        #[cfg(feature = "failures")]
        Screen::Zones => {
            let on_cluster = props.on_action.reform(ScreenAction::Cluster);
            html! { <Zones {scenario} {input} {on_input} {on_cluster} /> }
        }
        #[cfg(feature = "requests")]
        Screen::Trace => {
            let scenarios = Rc::clone(&props.scenarios);
            html! {
                <Trace {scenario} {scenarios} {before} {input} command={props.input.command.clone()}
                    lines={props.input.lines.clone()} on_action={props.on_action.clone()} />
            }
        }
        #[cfg(feature = "inspectors")]
        #[allow(
            unreachable_patterns,
            reason = "tests have both modules of this screen"
        )]
        Screen::Trace => {
            let on_action = props.on_action.clone();
            html! { <Further {scenario} {before} {input} {on_action} /> }
        }
        #[cfg(feature = "lessons")]
        Screen::Learn => {
            let on_open = props.on_action.reform(ScreenAction::Open);
            html! { <Learn {size} {input} {on_input} {on_open} /> }
        }
        #[cfg(feature = "timeline")]
        Screen::Timeline => {
            let disclosure = props.input.disclosure;
            html! { <Timeline {scenario} {disclosure} {input} {on_input} /> }
        }
        #[cfg(feature = "live")]
        Screen::Live => {
            let on_action = props.on_action.clone();
            html! { <Live {scenario} {input} {on_action} /> }
        }
        #[cfg(feature = "live")]
        Screen::Build => {
            let on_action = props.on_action.clone();
            html! { <Following {scenario} {on_action} /> }
        }
        // The page shows it itself, or another module does. No module has screens that use all of these.
        #[allow(unreachable_patterns, reason = "tests have all modules")]
        _ => {
            let _ = scenario;
            html! {}
        }
    }
}
