//! The whole screen: the verdict, the fields, the loss of each zone, and the loads.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, PageMessage, ShortNames};
use yew::prelude::*;

use super::{
    fields::fields,
    losses::losses,
    tables::{classes, priorities, traffic, zones},
};
use crate::{
    state::CommandInput,
    view::{
        parts::{Status, cluster_choice, named, note, verdict},
        screens::{
            fleet::{
                FleetInput, FleetOutcome, FleetRefusal, FleetStage, fleet_command,
                headline_sentence, senders_sentence, survival,
            },
            input::use_input,
            shown_command::ShownCommand,
            without_hosts::no_result,
        },
    },
};

/// The longest names of zones that are shown whole, relative to the font size.
const ZONE_ROOM: f64 = 16.0;

#[derive(PartialEq, Properties)]
pub(crate) struct FleetProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with a changed input.
    pub(crate) on_input: Callback<String>,
    /// Called with the index of the cluster to show.
    pub(crate) on_cluster: Callback<usize>,
    pub(crate) command: CommandInput,
}

/// The screen.
#[component]
pub(crate) fn FleetScreen(props: &FleetProps) -> Html {
    let text = use_input(&props.input, &props.on_input);
    let stage = use_memo(Rc::clone(&props.scenario), |scenario| {
        FleetStage::new(scenario).map(Rc::new)
    });
    let outcome = use_memo(((*stage).clone(), text.text.clone()), |(stage, text)| {
        let input = FleetInput::from_text(text);
        let stage = stage.as_ref()?;
        Some(FleetOutcome::new(stage, &input))
    });
    let input = FleetInput::from_text(&text.text);
    let clusters = cluster_choice(&props.scenario, &props.on_cluster);
    let (Some(stage), Some(outcome)) = (&*stage, &*outcome) else {
        return no_result(
            "fleet-headline",
            &props.scenario,
            PageMessage::NoHosts,
            clusters,
        );
    };
    let on_change = {
        let set = text.set.clone();
        Callback::from(move |input: FleetInput| set.emit(input.to_text()))
    };
    let zone_names = stage.zones.iter().map(|zone| zone.name.as_str());
    let names = ShortNames::of(zone_names, ZONE_ROOM);
    let status = match outcome {
        Ok(outcome) => headline_sentence(outcome),
        Err(refusal) => refused(*refusal).into(),
    };
    let tables = match outcome {
        Ok(outcome) => html! {
            <>
                { losses(outcome, &names) }
                { zones(stage, outcome, &input, &names) }
                { priorities(outcome, &names) }
                { traffic(outcome, &names) }
                { classes(outcome, &names) }
            </>
        },
        Err(_) => html! {},
    };
    html! {
        <main class="what-if losses fleet">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                { result(stage, outcome.as_ref(), &input, &names) }
            </section>
            <div class="left">
                { clusters }
                { fields(stage, &input, &names, &on_change) }
            </div>
            <div class="right">
                <div class="tables">
                    { tables }
                    <section class="same-report" aria-label="Command">
                        { command(stage, &input, &props.command) }
                    </section>
                </div>
            </div>
            <Status test="fleet-status" text={status} />
        </main>
    }
}

/// The verdict, and who sends what.
fn result(
    stage: &FleetStage,
    outcome: Result<&FleetOutcome, &FleetRefusal>,
    input: &FleetInput,
    names: &ShortNames,
) -> Html {
    match outcome {
        Ok(outcome) => {
            let of = survival(outcome);
            let alarm = of.case.is_some().then_some("alarm");
            let sentence = headline_sentence(outcome);
            let senders = senders_sentence(stage, outcome, input);
            html! {
                <>
                    <h2 class={classes!("headline", alarm)} data-test="fleet-headline">
                        { verdict(of.verdict) }{ ": " }{ named(names, &sentence) }
                    </h2>
                    <p class="sub" data-test="fleet-senders">{ senders }</p>
                </>
            }
        }
        Err(refusal) => html! {
            <h2 class="headline" data-test="fleet-headline">{ refused(*refusal) }</h2>
        },
    }
}

const fn refused(refusal: FleetRefusal) -> &'static str {
    match refusal {
        FleetRefusal::TooLarge => {
            "So many callers, hosts and zones take too long here; the command has no such limit."
        }
        FleetRefusal::NotValid => "These clusters have no loads: the engine refuses them.",
    }
}

/// The command with the same result, or the reason why no command has it.
fn command(stage: &FleetStage, input: &FleetInput, command: &CommandInput) -> Html {
    if stage.is_mesh {
        return note("For a mesh, run spillgate fleet on its documents.".into());
    }
    match fleet_command(stage, input, command) {
        Some(line) => {
            let about = format!("Run the same in CI; {}", command.about);
            html! { <ShownCommand test="fleet-command" {about} {line} /> }
        }
        None => note(
            "No command has this result: spillgate fleet uses zone-aware routing exactly if its input has a local cluster (local_cluster_name), which a link cannot have, and names of zones must not have commas, equals signs or slashes."
                .into(),
        ),
    }
}
