//! The whole screen: the request, its steps, and the inspectors.

use std::rc::Rc;

use crate::{
    state::{CommandInput, ScreenAction},
    view::parts::{Button, Status, named, note},
};
use spillgate_codec::import::TextPosition;
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::{
    change::Change,
    form::form,
    further::Further,
    sequence::{headline, sequence},
    shipped::Shipped,
    steps::steps,
    walk::WalkPanel,
};
use crate::view::screens::{
    input::use_input,
    shown_command::ShownCommand,
    trace::{
        ConfigSource, Deciders, RequestSequence, SessionKind, TraceInput, TraceMode, TraceRequest,
        TraceStage, TracedRequest, Walk, address_note, command,
    },
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
    let stage = use_memo(Rc::clone(&props.scenario), |scenario| {
        let source = ConfigSource::new(scenario);
        let stage = TraceStage::new(scenario)?.with_source(source);
        Some(Rc::new(stage))
    });
    let Some(stage) = &*stage else {
        return html! { <main class="what-if">{ note(PageMessage::NothingToTrace.to_string()) }</main> };
    };
    let set = text.set.reform(|input: TraceInput| input.to_text());
    let open = props.on_action.reform(ScreenAction::Source);
    html! {
        <Traced stage={Rc::clone(stage)} {input} {set} scenario={Rc::clone(&props.scenario)} before={props.before.clone()} command={props.command.clone()} {open} />
    }
}

#[derive(PartialEq, Properties)]
struct TracedProps {
    stage: Rc<TraceStage>,
    input: TraceInput,
    set: Callback<TraceInput>,
    scenario: Rc<EditedScenario>,
    before: Option<Rc<EditedScenario>>,
    command: CommandInput,
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
    let request = TraceRequest::new(stage, input);
    let (headline, walk, result, status) = match input.mode {
        TraceMode::One => {
            let traced = TracedRequest::new(stage, &request);
            let walk = Walk::new(traced.steps.len(), input.step);
            let current = walk.at.and_then(|at| Some((at, traced.steps.get(at)?)));
            let sentence = current.map_or("", |(_, step)| &step.sentence);
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
                <WalkPanel kinds={traced.steps.iter().map(|step| step.name).collect::<Vec<_>>()} {walk}
                    sentence={named(&stage.names, sentence)} on_step={change.by(|input, step| input.step = step)} />
            };
            let result = html! {
                <>
                    { keep_session(stage, &traced, &change) }
                    { steps(&traced, &stage.names, walk, open) }
                    { same_decision(props) }
                </>
            };
            (headline, panel, result, status)
        }
        TraceMode::Many => {
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
                { form(stage, &request, &change) }
                if input.deciders == Deciders::ModelAndFilter {
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
            <Further scenario={Rc::clone(&props.scenario)} before={props.before.clone()} input={props.input.to_text()} {on_action} />
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
    match command(how, &props.scenario, stage, input) {
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
