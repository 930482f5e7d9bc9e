//! A screen, or the part of the first one that follows a running Envoy, and the group that has its code.

use std::rc::Rc;

use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use super::{
    compare::Compare,
    fleet::FleetScreen,
    incident::IncidentScreen,
    lessons::Learn,
    live::{Following, Live},
    timeline::Timeline,
    trace::Trace,
    what_if::WhatIf,
};
use crate::{
    bridge,
    lazy::{Loading, lazy},
    state::{ComparedSide, Screen, ScreenAction, ScreenInput},
    view::lazy_part::{LazyPart, PartKind},
};

/// The open screen.
#[derive(Clone, PartialEq)]
pub(crate) struct ScreenPart {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The scenario before the latest step.
    pub(crate) before: Option<Rc<EditedScenario>>,
    /// The scenario that it is compared with.
    pub(crate) compared: ComparedSide,
    pub(crate) input: ScreenInput,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

type Draw = fn(&ScreenPart) -> Html;

lazy! {
    fn load_losses as losses_screens in what_if -> Draw { losses }
}
lazy! {
    fn load_compare as compare_screen in compare -> Draw { compared }
}
lazy! {
    fn load_fleet as fleet_screen in fleet -> Draw { fleet }
}
lazy! {
    fn load_incident as incident_screen in incident -> Draw { incident }
}
lazy! {
    fn load_trace as trace_screen in trace -> Draw { trace }
}
lazy! {
    fn load_learn as learn_screen in learn -> Draw { learn }
}
lazy! {
    fn load_live as live_screens in live -> Draw { live }
}

impl LazyPart for ScreenPart {
    fn kind(&self) -> PartKind {
        match self.input.screen {
            Screen::Build => PartKind::Following,
            _ => PartKind::Screen,
        }
    }

    fn load(&self) -> Loading<Draw> {
        load(self.input.screen)
    }
}

fn load(screen: Screen) -> Loading<Draw> {
    match screen {
        Screen::WhatIf | Screen::Timeline => load_losses(),
        Screen::Compare => load_compare(),
        Screen::Fleet => load_fleet(),
        Screen::Incident => load_incident(),
        Screen::Trace => load_trace(),
        Screen::Learn => load_learn(),
        Screen::Live | Screen::Build => load_live(),
    }
}

/// Fetches the code of a screen that the user may open next.
pub(crate) fn prepare(screen: Screen) {
    if screen != Screen::Build {
        yew::platform::spawn_local(async move {
            // Opening the screen tries again, and reports a failure.
            let _ = load(screen).await;
        });
    }
}

fn losses(part: &ScreenPart) -> Html {
    let scenario = Rc::clone(&part.scenario);
    let input = part.input.input.clone();
    let on_input = part.on_action.reform(ScreenAction::Input);
    match part.input.screen {
        Screen::Timeline => {
            let disclosure = part.input.disclosure;
            html! { <Timeline {scenario} {disclosure} {input} {on_input} /> }
        }
        _ => {
            let on_cluster = part.on_action.reform(ScreenAction::Cluster);
            let command = part.input.command.clone();
            html! { <WhatIf {scenario} {input} {on_input} {on_cluster} {command} /> }
        }
    }
}

fn compared(part: &ScreenPart) -> Html {
    html! {
        <Compare scenario={Rc::clone(&part.scenario)} old={part.compared.clone()} disclosure={part.input.disclosure}
            input={part.input.input.clone()} on_action={part.on_action.clone()} />
    }
}

fn fleet(part: &ScreenPart) -> Html {
    html! {
        <FleetScreen scenario={Rc::clone(&part.scenario)} input={part.input.input.clone()}
            on_input={part.on_action.reform(ScreenAction::Input)} on_cluster={part.on_action.reform(ScreenAction::Cluster)}
            command={part.input.command.clone()} />
    }
}

fn incident(part: &ScreenPart) -> Html {
    html! {
        <IncidentScreen scenario={Rc::clone(&part.scenario)} input={part.input.input.clone()} on_action={part.on_action.clone()}
            command={part.input.command.clone()} />
    }
}

fn trace(part: &ScreenPart) -> Html {
    html! {
        <Trace scenario={Rc::clone(&part.scenario)} before={part.before.clone()} input={part.input.input.clone()}
            command={part.input.command.clone()} on_action={part.on_action.clone()} />
    }
}

fn learn(part: &ScreenPart) -> Html {
    html! { <SizedLearn input={part.input.input.clone()} on_action={part.on_action.clone()} /> }
}

fn live(part: &ScreenPart) -> Html {
    let scenario = Rc::clone(&part.scenario);
    let input = part.input.input.clone();
    let on_action = part.on_action.clone();
    match part.input.screen {
        Screen::Live => html! { <Live {scenario} {input} {on_action} /> },
        _ => html! { <Following {scenario} {on_action} /> },
    }
}

#[derive(PartialEq, Properties)]
struct SizedLearnProps {
    input: String,
    on_action: Callback<ScreenAction>,
}

/// Learn, whose figure depends on the width of the window.
#[component]
fn SizedLearn(props: &SizedLearnProps) -> Html {
    let size = use_state(bridge::layout);
    {
        let size = size.setter();
        use_effect_with((), move |()| {
            let layout = bridge::on_layout_change(move |layout| size.set(layout));
            move || drop(layout)
        });
    }
    let on_input = props.on_action.reform(ScreenAction::Input);
    let on_open = props.on_action.reform(ScreenAction::Open);
    html! { <Learn size={*size} input={props.input.clone()} {on_input} {on_open} /> }
}
