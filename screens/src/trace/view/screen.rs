//! The whole screen: the request, its steps, and the inspectors.

use std::rc::Rc;

use spillgate_playground::{
    state::{PageMessage, PageScenario, Size},
    view::parts::{Button, Status, named, note},
};
use yew::prelude::*;

use super::{
    form::{Change, form},
    inspector::inspectors,
    moved::Moved,
    sequence::{headline, sequence},
    shipped::Shipped,
    steps::steps,
};
use crate::{
    input::use_input,
    trace::{
        ChangeStage, Deciders, RequestSequence, SessionKind, TraceInput, TraceMode, TraceRequest,
        TraceStage, TracedRequest,
    },
};

#[derive(PartialEq, Properties)]
pub(crate) struct TraceProps {
    pub(crate) scenario: Rc<PageScenario>,
    /// The scenarios as bytes.
    pub(crate) scenarios: Rc<[u8]>,
    /// The scenario before the latest change.
    pub(crate) before: Option<Rc<PageScenario>>,
    pub(crate) size: Size,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with a changed input.
    pub(crate) on_input: Callback<String>,
}

/// The screen.
#[component]
pub(crate) fn Trace(props: &TraceProps) -> Html {
    let text = use_input(&props.input, &props.on_input);
    let input = TraceInput::from_text(&text.text);
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
    let (Some(stage), Some(changes)) = (&*stage, &*changes) else {
        return html! { <main class="what-if">{ note(PageMessage::NothingToTrace.to_string()) }</main> };
    };
    let set = text.set.reform(|input: TraceInput| input.to_text());
    html! { <Traced stage={Rc::clone(stage)} changes={Rc::clone(changes)} scenarios={Rc::clone(&props.scenarios)} {input} {set} /> }
}

#[derive(PartialEq, Properties)]
struct TracedProps {
    stage: Rc<TraceStage>,
    changes: Rc<ChangeStage>,
    scenarios: Rc<[u8]>,
    input: TraceInput,
    set: Callback<TraceInput>,
}

/// The screen for a cluster with hosts.
#[component]
fn Traced(props: &TracedProps) -> Html {
    let TracedProps {
        stage,
        changes,
        scenarios,
        input,
        set,
    } = props;
    let change = Change {
        input: input.clone(),
        set: set.clone(),
    };
    let request = TraceRequest::new(stage, input);
    let selected = input.inspected.and_then(|at| stage.host(at));
    let on_host = change.by(|input, host| input.inspected = Some(host));
    let (headline, result, picture) = match input.mode {
        TraceMode::One => {
            let traced = TracedRequest::new(stage, &request);
            let result = html! {
                <>
                    { keep_session(stage, &traced, &change) }
                    { steps(&traced, &stage.names) }
                </>
            };
            let picture = inspectors(stage, &request, &traced, selected, &on_host);
            (traced.headline(stage), result, picture)
        }
        TraceMode::Many => {
            let found = RequestSequence::new(stage, &request);
            (headline(&found), sequence(stage, &found), html! {})
        }
    };
    html! {
        <main class="what-if trace">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "Where does a request go?" }</h2>
                <p class="headline" data-test="trace-headline">{ named(&stage.names, &headline) }</p>
                { form(stage, &request, &change) }
                if input.deciders == Deciders::ModelAndFilter {
                    <Shipped stage={Rc::clone(stage)} scenarios={Rc::clone(scenarios)} input={input.decided()} />
                }
                { result }
            </section>
            <div class="further">
                { picture }
                <Moved changes={Rc::clone(changes)} input={input.clone()} set={set.clone()} />
            </div>
            <Status test="trace-status" text={headline} />
        </main>
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
