//! The whole screen: the scenario, its pictures, its script and its figures.

use std::rc::Rc;

use crate::bridge::AskedModule;
use crate::view::parts::{Choice, Number, term};
use spillgate_codec::import::{TimelineAnswer, TimelineQuestion};
use spillgate_scenario::{EditedScenario, PageMessage, ScenarioOutcome, link::Disclosure};
use yew::prelude::*;

use super::{board::Board, run::ShownRun, script::ScriptPanel, tables::phases};
use crate::view::screens::{
    answered::{AnswerModule, Answered, use_answer},
    input::use_input,
    timeline::{
        PAGE_ABOUT, SCENARIOS, SimulatedClusters, TimelineInput, scenario_named, term_text,
        without_unknown_hosts,
    },
};

#[derive(PartialEq, Properties)]
pub(crate) struct TimelineProps {
    pub(crate) scenario: Rc<EditedScenario>,
    pub(crate) disclosure: Disclosure,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with a changed input.
    pub(crate) on_input: Callback<String>,
}

/// A scenario file and what to run.
#[derive(Debug, PartialEq)]
struct Question {
    script: String,
    run: TimelineQuestion,
}

/// The module that runs scenarios.
const SIMULATOR: AnswerModule<Question, TimelineAnswer> = AnswerModule {
    ask: |question, done| {
        AskedModule::Simulation.ask(question.script.clone(), question.run.to_bytes(), done)
    },
    read: TimelineAnswer::from_bytes,
    cancel: || AskedModule::Simulation.cancel(),
};

/// The label of the playground's clusters in the list.
const PAGE_TITLE: &str = "The clusters of this page";

/// The screen.
#[component]
pub(crate) fn Timeline(props: &TimelineProps) -> Html {
    let text = use_input(&props.input, &props.on_input);
    let input = TimelineInput::from_text(&text.text);
    let page = use_memo(
        (Rc::clone(&props.scenario), props.disclosure),
        |(scenario, disclosure)| SimulatedClusters::new(scenario, *disclosure),
    );
    let source_text = |source: &str| -> String {
        match scenario_named(source) {
            Some(known) => known.text.into(),
            None => page.script.clone(),
        }
    };
    let question = Rc::new(Question {
        script: input.script(&source_text(&input.source)),
        run: TimelineQuestion {
            seed: input.seed.map(u64::from),
            clusters: page.clusters.clone(),
            disclosed: page.disclosed.clone(),
            otherwise: input
                .has_no_choice()
                .then(|| SCENARIOS.first().map(|first| first.text.into()))
                .flatten(),
        },
    });
    let Answered {
        answer,
        is_busy,
        failure,
    } = use_answer(&question, &SIMULATOR);
    let run = use_memo(answer.clone(), |answer| {
        let recording = answer.as_ref()?.recording.clone()?;
        Some(ShownRun::new(recording))
    });
    let is_other = input.has_no_choice() && answer.as_ref().is_some_and(|answer| answer.is_other);
    // The scenario that is simulated, also if it is not the chosen one.
    let source = match (is_other, SCENARIOS.first()) {
        (true, Some(first)) => first.name.to_owned(),
        _ => input.source.clone(),
    };
    let source_script = source_text(&source);
    let script = input.script(&source_script);
    let set = {
        let set = text.set.clone();
        Callback::from(move |next: TimelineInput| set.emit(next.to_text()))
    };
    let on_script = {
        let (input, set, source) = (input.clone(), set.clone(), source.clone());
        Callback::from(move |script: String| {
            let mut next = input.with_script(&source_script, &script);
            next.source.clone_from(&source);
            set.emit(next);
        })
    };
    let faults = answer.iter().flat_map(|answer| &answer.faults);
    let faults: Vec<_> = faults.cloned().collect();
    let about = match scenario_named(&source) {
        Some(known) => known.about,
        None if input.is_unchanged() => PAGE_ABOUT,
        None => "",
    };
    let fields = fields(&input, &source, run.as_ref().as_ref(), &set);
    let reason = faults.first().map_or("", |fault| &fault.message);
    // Only a fault can be about hosts that are not known.
    let unknown = (!reason.is_empty() && input.source.is_empty())
        .then(|| ScenarioOutcome::of(&props.scenario).unknown_hosts)
        .flatten();
    let unknown = unknown.map(|cluster| PageMessage::HostsUnknown(&cluster).to_string());
    let listed = match unknown {
        Some(_) => without_unknown_hosts(&faults),
        None => faults.clone(),
    };
    let instead = match (is_other, &*source, &*page.left_out) {
        (true, ..) if unknown.is_some() => {
            unknown.map(|unknown| format!("{unknown} Here is a documented scenario."))
        }
        (false, "", _) if unknown.is_some() => unknown,
        (true, ..) => Some(format!(
            "The simulator does not support the clusters of this page ({reason}), so a documented scenario is shown."
        )),
        (_, "", [_, ..]) => Some(format!("Not simulated: {}.", page.left_out.join(", "))),
        _ => None,
    };
    let message = match (&*failure, &*run, is_busy) {
        ("", _, true) => "Simulating\u{2026}".to_owned(),
        ("", None, false) if listed.is_empty() => String::new(),
        ("", None, false) => "The script has errors: see below it.".to_owned(),
        ("", ..) => String::new(),
        (failure, ..) => format!("Cannot simulate: {failure}"),
    };
    html! {
        <main class="what-if timeline" aria-busy={is_busy.to_string()}>
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "What happens to sessions while hosts fail and recover?" }</h2>
                if let Some(instead) = instead {
                    <p class="note" data-test="timeline-instead">{ instead }</p>
                }
                if let Some(run) = &*run {
                    <Board run={run.clone()} input={input.clone()} on_input={set.clone()} script={script.clone()}
                        on_script={on_script.clone()} {about} {fields} />
                } else {
                    <div class="question">{ fields }</div>
                }
                <p class="note" data-said="yes" data-test="timeline-message">{ message }</p>
            </section>
            <div class="further">
                if let Some(run) = &*run {
                    { phases(run) }
                }
                <ScriptPanel {input} {source} {script} {on_script} faults={listed} page={Rc::clone(&page)}
                    seed={run.as_ref().as_ref().map_or(1, |run| run.recording.seed)} disclosure={props.disclosure} />
            </div>
        </main>
    }
}

/// The fields that choose the scenario and the seed.
fn fields(
    input: &TimelineInput,
    source: &str,
    run: Option<&ShownRun>,
    set: &Callback<TimelineInput>,
) -> Html {
    let mut options = vec![(String::new(), PAGE_TITLE.to_owned())];
    let known = SCENARIOS.iter();
    options.extend(known.map(|one| (one.name.to_owned(), one.title.to_owned())));
    let on_source = set.reform(|source: String| TimelineInput {
        source,
        ..TimelineInput::default()
    });
    let on_seed = {
        let input = input.clone();
        set.reform(move |seed: u32| TimelineInput {
            seed: Some(seed),
            ..input.clone()
        })
    };
    let of_file = run.and_then(|run| u32::try_from(run.recording.seed).ok());
    html! {
        <>
            <Choice id="timeline-source" test="timeline-source" label="scenario" {options} value={source.to_owned()}
                on_value={on_source} />
            <div class="slider">
                <span>{ term("timeline-term-seed", "seed".into(), term_text("seed")) }</span>
                <Number test="timeline-seed" name="Seed" value={input.seed.or(of_file).unwrap_or(1)} min={0} max={u32::MAX}
                    on_value={on_seed} />
            </div>
        </>
    }
}
