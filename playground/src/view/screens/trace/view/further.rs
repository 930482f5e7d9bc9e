//! What the host of a request is chosen from, and what a change moves.

use std::rc::Rc;

use crate::state::ScreenAction;
use spillgate_codec::import::RouteAnswer;
use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use super::{change::Change, inspector::inspectors, moved::Moved};
use crate::view::screens::{
    input::use_input,
    trace::{ChangeStage, TraceInput, TraceMode, TraceRequest, TraceStage, TracedRequest, Walk},
};

#[derive(PartialEq, Properties)]
pub(crate) struct FurtherProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The scenario before the latest change.
    pub(crate) before: Option<Rc<EditedScenario>>,
    /// The answer of the routes, if they get the request.
    pub(crate) answer: Option<Rc<RouteAnswer>>,
    /// The input of the Trace screen as a text.
    pub(crate) input: String,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The inspectors of one request, and the changes.
#[component]
pub(crate) fn Further(props: &FurtherProps) -> Html {
    let text = use_input(&props.input, &props.on_action.reform(ScreenAction::Input));
    let input = TraceInput::from_text(&text.text);
    let set = text.set.reform(|input: TraceInput| input.to_text());
    let stage = use_memo(Rc::clone(&props.scenario), |scenario| {
        TraceStage::new(scenario).map(Rc::new)
    });
    let compared = (
        Rc::clone(&props.scenario),
        props.before.clone(),
        (*stage).clone(),
    );
    let changes = use_memo(compared, |(scenario, before, stage)| {
        let stage = stage.as_ref()?;
        Some(Rc::new(ChangeStage::new(scenario, before.clone(), stage)))
    });
    // Without hosts, the screen shows a note instead.
    let (Some(stage), Some(changes)) = (&*stage, &*changes) else {
        return html! {};
    };
    let change = Change {
        input: input.clone(),
        set: set.clone(),
    };
    let pictures = match input.mode {
        TraceMode::One => {
            let request = TraceRequest::new(stage, &input);
            let request = match &props.answer {
                Some(answer) => request.routed(answer),
                None => request,
            };
            let traced = TracedRequest::new(stage, &request);
            let routed = props.answer.as_ref().map_or(0, |answer| answer.steps.len());
            let walk = Walk::new(routed + traced.steps.len(), input.step);
            let step = walk
                .at
                .and_then(|at| traced.steps.get(at.checked_sub(routed)?));
            let kind = step.map(|step| step.name);
            let selected = input.inspected.and_then(|at| stage.host(at));
            let on_host = change.by(|input, host| input.inspected = Some(host));
            inspectors(stage, &request, &traced, selected, &on_host, kind)
        }
        TraceMode::Many => html! {},
    };
    html! {
        <>
            { pictures }
            <Moved changes={Rc::clone(changes)} {input} {set} />
        </>
    }
}
