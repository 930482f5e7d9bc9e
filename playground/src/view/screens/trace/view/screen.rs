//! The whole screen: the request, its steps, and the inspectors.

use std::rc::Rc;

use crate::{
    state::{CommandInput, ScreenAction},
    view::parts::{Button, Status, named, note},
};
use spillgate_codec::import::{RouteAnswer, TextPosition};
use spillgate_scenario::{EditedScenario, PageMessage, ScenarioOutcome};
use yew::prelude::*;

use super::{
    change::Change,
    form::form,
    further::Further,
    routes::{Routes, use_routes},
    sequence::{headline, sequence},
    shipped::Shipped,
    steps::steps,
    walk::WalkPanel,
};
use crate::view::screens::{
    input::use_input,
    shown_command::ShownCommand,
    trace::{
        Addressee, ConfigSource, Deciders, RequestSequence, SessionKind, TraceInput, TraceMode,
        TraceRequest, TraceStage, TracedRequest, Walk, address_note, command, route_rows,
        routed_scenario, unrouted,
    },
    without_hosts::no_result,
};

#[derive(PartialEq, Properties)]
pub(crate) struct TraceProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The scenario before the latest change.
    pub(crate) before: Option<Rc<EditedScenario>>,
    /// The input as a text.
    pub(crate) input: String,
    /// How a command gets the scenario.
    pub(crate) command: CommandInput,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen.
#[component]
pub(crate) fn Trace(props: &TraceProps) -> Html {
    let text = use_input(&props.input, &props.on_action.reform(ScreenAction::Input));
    let input = TraceInput::from_text(&text.text);
    let routes = use_routes(&props.scenario, &input);
    let (answer, failure) = match &routes {
        Routes::Answered(answer) => (Some(answer), None),
        Routes::Failed(reason) => (None, Some(reason.clone())),
        Routes::Without | Routes::Loading => (None, None),
    };
    let routed = answer.filter(|_| input.addressee == Addressee::Routes);
    let cluster = routed.and_then(|answer| answer.cluster.clone());
    let shown = use_memo(
        (Rc::clone(&props.scenario), cluster),
        |(scenario, cluster)| {
            let routed = cluster.as_ref().map(|name| routed_scenario(scenario, name));
            let compiled = |scenario: Rc<EditedScenario>| {
                let source = ConfigSource::new(&scenario);
                let stage = TraceStage::new(&scenario)?.with_source(source);
                Some((scenario, Rc::new(stage)))
            };
            // A routed cluster without hosts is named, and the shown one stays.
            let (scenario, stage) = routed
                .and_then(compiled)
                .or_else(|| compiled(Rc::clone(scenario)))?;
            let unknown = ScenarioOutcome::of(&scenario).unknown_hosts;
            Some((scenario, stage, unknown))
        },
    );
    let Some((scenario, stage, unknown)) = &*shown else {
        return no_result(
            "trace-headline",
            &props.scenario,
            PageMessage::NothingToTrace,
            html! {},
        );
    };
    let set = text.set.reform(|input: TraceInput| input.to_text());
    let open = props.on_action.reform(ScreenAction::Source);
    html! {
        <Traced stage={Rc::clone(stage)} {input} {set} scenario={Rc::clone(scenario)} before={props.before.as_ref().map(|before| routed_scenario(before, stage.name()))}
            shown={props.scenario.name(props.scenario.root()).to_owned()} answer={answer.cloned()} {failure} command={props.command.clone()} {open} unknown={unknown.clone()} />
    }
}

#[derive(PartialEq, Properties)]
struct TracedProps {
    stage: Rc<TraceStage>,
    input: TraceInput,
    set: Callback<TraceInput>,
    scenario: Rc<EditedScenario>,
    before: Option<Rc<EditedScenario>>,
    /// The name of the cluster that the playground shows.
    shown: String,
    /// What the routes say about the request, if the import has any.
    answer: Option<Rc<RouteAnswer>>,
    /// Why the routes do not answer.
    failure: Option<String>,
    command: CommandInput,
    /// The cluster whose hosts are not known, if requests reach it.
    unknown: Option<String>,
    /// Opens the import dialog at a position.
    open: Callback<TextPosition>,
}

/// The screen for a cluster with hosts.
#[component]
fn Traced(props: &TracedProps) -> Html {
    let TracedProps {
        stage,
        input,
        set,
        open,
        ..
    } = props;
    let change = Change {
        input: input.clone(),
        set: set.clone(),
    };
    let routed = routed(props);
    let request = request(props);
    let unrouted = routed.and_then(|answer| unrouted(&props.scenario, stage, answer));
    let (headline, walk, result, status) = match (input.mode, unrouted) {
        (_, Some(headline)) => {
            let rows = routed.map_or_else(Vec::new, |answer| route_rows(stage, answer));
            let walk = Walk::new(rows.len(), None);
            let result = steps(&rows, true, &stage.names, walk, open);
            (headline.clone(), html! {}, result, headline)
        }
        (TraceMode::One, None) => {
            let traced = TracedRequest::new(stage, &request);
            let mut rows = routed.map_or_else(Vec::new, |answer| route_rows(stage, answer));
            rows.extend(traced.steps.iter().cloned());
            let walk = Walk::new(rows.len(), input.step);
            let current = walk.at.and_then(|at| Some((at, rows.get(at)?)));
            let sentence = current.map_or_else(String::new, |(_, step)| step.text());
            let headline = traced.headline(stage);
            let status = match current {
                Some((at, step)) => {
                    format!(
                        "Step {} of {}, {}: {sentence}",
                        at + 1,
                        walk.steps,
                        step.name
                    )
                }
                None => headline.clone(),
            };
            let panel = html! {
                <WalkPanel kinds={rows.iter().map(|step| step.name).collect::<Vec<_>>()} {walk}
                    sentence={named(&stage.names, &sentence)} on_step={change.by(|input, step| input.step = step)} />
            };
            let result = html! {
                <>
                    { keep_session(stage, &traced, &change) }
                    { steps(&rows, routed.is_some(), &stage.names, walk, open) }
                    { same_decision(props) }
                </>
            };
            (headline, panel, result, status)
        }
        (TraceMode::Many, None) => {
            let found = RequestSequence::new(stage, &request);
            let headline = headline(&found);
            let result = sequence(stage, &found);
            (headline.clone(), html! {}, result, headline)
        }
    };
    html! {
        <main class="what-if trace">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "Where does a request go?" }</h2>
                <p class="headline" data-test="trace-headline">{ named(&stage.names, &headline) }</p>
                { for props.unknown.iter().map(|cluster| note(PageMessage::HostsUnknown(cluster).to_string())) }
                { form(stage, &request, (props.answer.as_deref(), &props.shown), &change) }
                { for props.failure.iter().map(|reason| note(format!("Cannot run routes.wasm: {reason}. The request goes straight to the cluster."))) }
                { for routed.iter().flat_map(|answer| &answer.limits).map(|limit| note(format!("Can differ: {limit}."))) }
                if input.deciders == Deciders::ModelAndFilter && routed.is_none() {
                    <Shipped stage={Rc::clone(stage)} scenario={Rc::clone(&props.scenario)} input={input.decided()} />
                }
                { walk }
                { result }
            </section>
            { further(props) }
            <Status test="trace-status" text={status} />
        </main>
    }
}

/// The answer of the routes, if they get the request.
fn routed(props: &TracedProps) -> Option<&RouteAnswer> {
    let answer = props.answer.as_deref();
    answer.filter(|_| props.input.addressee == Addressee::Routes)
}

/// The request to the cluster.
fn request(props: &TracedProps) -> TraceRequest {
    let request = TraceRequest::new(&props.stage, &props.input);
    match routed(props) {
        Some(answer) => request.routed(answer),
        None => request,
    }
}

/// The inspectors and what a change moves.
fn further(props: &TracedProps) -> Html {
    let set = props.set.clone();
    let on_action = Callback::from(move |action| {
        if let ScreenAction::Input(input) = action {
            set.emit(TraceInput::from_text(&input));
        }
    });
    html! {
        <div class="further">
            <Further scenario={Rc::clone(&props.scenario)} before={props.before.clone()} input={props.input.to_text()} answer={routed(props).cloned().map(Rc::new)} {on_action} />
        </div>
    }
}

/// The command with the same decision, or the reason why no command has it.
fn same_decision(props: &TracedProps) -> Html {
    let TracedProps {
        stage,
        input,
        command: how,
        ..
    } = props;
    match command(how, &props.scenario, stage, (input, routed(props))) {
        Ok(line) => html! {
            <div class="same-decision">
                <ShownCommand test="trace-command" about={format!("The same decision on the command line; {}", how.about)} {line} />
                { for address_note(how, stage).map(|text| note(text.into())) }
            </div>
        },
        Err(reason) => {
            html! { <div class="same-decision" data-test="trace-no-command">{ note(format!("No command: {reason}")) }</div> }
        }
    }
}

/// A button that makes the chosen host that of the request's session.
fn keep_session(stage: &TraceStage, traced: &TracedRequest, change: &Change) -> Html {
    let Some(host) = traced.decision.host_ref() else {
        return html! {};
    };
    let address = stage.address(host).to_owned();
    if change.input.session != SessionKind::Without && change.input.session_host == address {
        return html! {};
    }
    let keep = {
        let (change, address) = (change.clone(), address.clone());
        Callback::from(move |_: MouseEvent| {
            let mut next = change.input.clone();
            next.session_host.clone_from(&address);
            if next.session == SessionKind::Without {
                next.session = SessionKind::Envoy;
            }
            change.set.emit(next);
        })
    };
    Button {
        class: "quiet",
        test: Some("trace-keep".into()),
        name: None,
        text: format!("Send the next request with a session of {address}"),
        disabled: false,
        onclick: keep,
    }
    .view()
}
