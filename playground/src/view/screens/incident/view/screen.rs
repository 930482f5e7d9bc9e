//! The whole screen: the answers, the script, the pictures and the settings.

use std::rc::Rc;

use spillgate_codec::import::{IncidentFault, IncidentQuestion, IncidentReply};
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::{
    board::Board,
    changes::change_table,
    events::Events,
    settings::{deciding_times, settings, settings_reset},
};
use crate::{
    bridge::AskedModule,
    state::{CommandInput, ScreenAction},
    view::{
        parts::{Status, cluster_choice, named, note},
        screens::{
            answered::{AnswerModule, Answered, use_answer},
            incident::{IncidentInput, IncidentStage, ShownIncident, incident_command},
            input::use_input,
            shown_command::ShownCommand,
            without_hosts::no_result,
        },
    },
};

#[derive(PartialEq, Properties)]
pub(crate) struct IncidentProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The input as a text.
    pub(crate) input: String,
    pub(crate) on_action: Callback<ScreenAction>,
    pub(crate) command: CommandInput,
}

/// A configuration and what to simulate.
#[derive(Debug, PartialEq)]
struct Question {
    config: String,
    asked: IncidentQuestion,
}

/// The module that simulates.
const MODULE: AnswerModule<Question, IncidentReply> = AnswerModule {
    ask: |question, done| {
        AskedModule::Incident.ask(question.config.clone(), question.asked.to_bytes(), done);
    },
    read: IncidentReply::from_bytes,
    cancel: || AskedModule::Incident.cancel(),
};

/// The screen.
#[component]
pub(crate) fn IncidentScreen(props: &IncidentProps) -> Html {
    let stage = use_memo(Rc::clone(&props.scenario), |scenario| {
        IncidentStage::new(scenario).map(Rc::new)
    });
    match &*stage {
        Some(stage) => html! {
            <Simulated stage={Rc::clone(stage)} input={props.input.clone()} on_action={props.on_action.clone()}
                command={props.command.clone()} />
        },
        None => no_result(
            "incident-headline",
            &props.scenario,
            PageMessage::NoHosts,
            cluster_choice(
                &props.scenario,
                &props.on_action.reform(ScreenAction::Cluster),
            ),
        ),
    }
}

#[derive(PartialEq, Properties)]
struct SimulatedProps {
    stage: Rc<IncidentStage>,
    input: String,
    on_action: Callback<ScreenAction>,
    command: CommandInput,
}

/// The screen for a cluster with hosts.
#[component]
fn Simulated(props: &SimulatedProps) -> Html {
    let text = use_input(&props.input, &props.on_action.reform(ScreenAction::Input));
    let input = IncidentInput::from_text(&text.text);
    let set = text.set.reform(|input: IncidentInput| input.to_text());
    let stage = &props.stage;
    let question = use_memo(
        // The shown time changes nothing.
        (
            Rc::clone(stage),
            IncidentInput {
                at: None,
                ..input.clone()
            },
        ),
        |(stage, input)| Question {
            config: stage.config().to_owned(),
            asked: stage.question(input),
        },
    );
    let Answered {
        answer,
        is_busy,
        failure,
    } = use_answer(&question, &MODULE);
    let latest = use_mut_ref(|| None::<(Rc<IncidentStage>, ShownIncident)>);
    let answered = use_memo(answer.clone(), |answer| {
        let record = answer.as_ref()?.record.clone()?;
        Some(ShownIncident::new(
            record,
            &stage.events(&input),
            stage.names.clone(),
        ))
    });
    if let Some(run) = (*answered).clone().filter(|_| !is_busy) {
        *latest.borrow_mut() = Some((Rc::clone(stage), run));
    }
    // After an error, the last pictures stay, but not those of another cluster.
    let run = latest.borrow().clone();
    let run = run.filter(|(of, _)| Rc::ptr_eq(of, stage));
    let run = run.map(|(_, run)| run);
    let faults = answer.map_or_else(Vec::new, |answer| answer.faults.clone());
    let wrong = fault_text(&failure, &faults, run.is_some());
    let old = (run.is_some() && !wrong.is_empty()).then_some("old");
    let busy = if is_busy { "Simulating\u{2026}" } else { "" };
    let clusters = cluster_choice(
        &stage.scenario,
        &props.on_action.reform(ScreenAction::Cluster),
    );
    let events = html! {
        <Events stage={Rc::clone(stage)} input={input.clone()} on_input={set.clone()} run={run.clone()}
            faults={faults.clone()} />
    };
    html! {
        <main class={classes!("what-if", "timeline", "incident", old)} aria-busy={is_busy.to_string()}>
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <p class="note alarm" data-said="yes" data-test="incident-fault">{ &wrong }</p>
                { verdict(run.as_ref()) }
                <p class="note" data-said="yes" data-test="incident-message">{ busy }</p>
                if let Some(run) = &run {
                    <Board stage={Rc::clone(stage)} run={run.clone()} input={input.clone()} on_input={set.clone()}
                        on_open={props.on_action.reform(|scenario| ScreenAction::Open(Box::new(scenario)))} {events} />
                } else {
                    { events }
                    { settings_reset(&input, &set) }
                }
            </section>
            <div class="further">
                { clusters }
                if let Some(run) = &run {
                    { settings(run, &input, &faults, &set) }
                    { deciding_times(run, &props.on_action.reform(ScreenAction::Source)) }
                    { change_table(run) }
                }
                <section class="same-report" aria-label="Command">
                    { command(stage, &input, &props.command, run.as_ref().filter(|_| wrong.is_empty())) }
                </section>
            </div>
        </main>
    }
}

/// The answers in sentences.
fn verdict(run: Option<&ShownIncident>) -> Html {
    let Some(run) = run else {
        return html! { <h2 class="headline" data-test="incident-headline">{ "When is a failure noticed, and what fails until then?" }</h2> };
    };
    let record = &run.record;
    let alarm = record.is_alarming.then_some("alarm");
    let sentences = record.sentences.iter();
    let doubts = record.doubts.iter();
    html! {
        <>
            <h2 class={classes!("headline", alarm)} data-test="incident-headline">{ named(&run.names, &record.verdict) }</h2>
            <ul class="answers" data-test="incident-answers">
                { for sentences.map(|text| html! { <li>{ named(&run.names, text) }</li> }) }
            </ul>
            if !record.doubts.is_empty() {
                <details class="doubts" open={true}>
                    <summary>{ "What this answer does not know" }</summary>
                    <ul data-test="incident-doubts">{ for doubts.map(|text| html! { <li>{ named(&run.names, text) }</li> }) }</ul>
                </details>
            }
            <Status test="incident-status" text={record.verdict.clone()} />
        </>
    }
}

/// Why there is no answer; empty if there is one. An answer to an earlier question can be shown.
fn fault_text(failure: &str, faults: &[IncidentFault], has_earlier: bool) -> String {
    if !failure.is_empty() {
        return format!("Cannot simulate: {failure}");
    }
    if faults.is_empty() {
        return String::new();
    }
    let is_marked = |of: &IncidentFault| of.event.is_some() || of.change.is_some();
    if has_earlier && faults.iter().all(is_marked) {
        return "An event or a setting has an error: the answers, pictures and tables are those before it.".into();
    }
    let all: Vec<&str> = faults.iter().map(|of| of.message.as_str()).collect();
    format!("Cannot simulate: {}", all.join("; "))
}

/// The command with the same answer, or the reason why no command has it.
fn command(
    stage: &IncidentStage,
    input: &IncidentInput,
    command: &CommandInput,
    run: Option<&ShownIncident>,
) -> Html {
    let Some(run) = run else {
        return note("The command has no answer, either, before the errors are corrected.".into());
    };
    match incident_command(stage, input, command, run) {
        Some(line) => {
            let about = format!("Run the same in CI; {}", command.about);
            html! { <ShownCommand test="incident-command" {about} {line} /> }
        }
        None => note(
            "No command has this answer: health checks that are changed or assumed here are not in a configuration. Write them into yours, and spillgate incident gives the same."
                .into(),
        ),
    }
}
