//! The whole screen.

use std::rc::Rc;

use crate::{
    bridge,
    state::ScreenAction,
    view::parts::{Status, note},
};
use spillgate_observe::ObservedWindow;
use spillgate_scenario::{EditedScenario, ScenarioOutcome, decimal};
use yew::prelude::*;

use super::{
    age::Age,
    commands::Commands,
    comparison::{bars, table},
    controls::controls,
    counters::counters,
    following::stop_following,
    needs::Needs,
    observed_hosts::hosts,
    poll::{use_polling, with_monitor},
};
use crate::view::screens::{
    input::use_input,
    live::{
        LiveComparison, LiveFault, LiveInput, LiveMessage, LiveStage, clusters_to_watch, headline,
        live_commands, window_text,
    },
};

#[derive(PartialEq, Properties)]
pub(crate) struct LiveProps {
    /// The scenario of the playground, whose settings apply.
    pub(crate) scenario: Rc<EditedScenario>,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen.
#[component]
pub(crate) fn Live(props: &LiveProps) -> Html {
    let text = use_input(&props.input, &props.on_action.reform(ScreenAction::Input));
    let input = LiveInput::from_text(&text.text);
    use_polling(&input);
    let on_input = text.set.reform(|input: LiveInput| input.to_text());
    let absent = with_monitor(|monitor| {
        let fault = monitor.fault.as_ref();
        let absent = fault.filter(|_| monitor.is_absent(bridge::is_live()));
        absent.map(|fault| {
            (
                LiveMessage::Absent(fault).to_string(),
                *fault != LiveFault::NoServer,
            )
        })
    });
    let (names, stage, is_paused) = with_monitor(|monitor| {
        let reading = monitor.last();
        let names = reading.map(|reading| clusters_to_watch(&props.scenario, reading));
        let stage = reading.map(|reading| LiveStage::new(&props.scenario, reading, &input.cluster));
        (names.unwrap_or_default(), stage, monitor.is_paused)
    });
    let scenario = match &stage {
        Some(Ok(stage)) => Some(Rc::clone(&stage.scenario)),
        _ => None,
    };
    // The result is expensive, and most readings change only counters.
    let outcome = use_memo(scenario.clone(), |scenario| {
        scenario
            .as_ref()
            .map(|scenario| ScenarioOutcome::of(scenario))
    });
    if let Some((reason, can_retry)) = absent {
        return html! { <Needs {reason} {can_retry} /> };
    }
    let on_freeze = scenario.map(|scenario| {
        let on_action = props.on_action.clone();
        Callback::from(move |_: MouseEvent| {
            stop_following();
            on_action.emit(ScreenAction::Open(Box::new((*scenario).clone())));
        })
    });
    let shown = match &stage {
        Some(Ok(stage)) => stage.name().to_owned(),
        _ => input.cluster.clone(),
    };
    let controls = controls(&input, &on_input, (names, shown), is_paused, on_freeze);
    let shown = stage.map(|stage| stage.map_err(|error| error.to_string()));
    let shown = match (&shown, &*outcome) {
        (Some(Ok(stage)), Some(outcome)) => compared(stage, outcome, &input),
        (Some(Err(reason)), _) => Shown::only(LiveMessage::NotShown(reason).to_string()),
        _ => Shown::only(first_message()),
    };
    // One structure before and after the first read, so that the fields keep their focus.
    html! {
        <main class="what-if live">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "Does Envoy do what is predicted?" }</h2>
                <p class="headline" data-test="live-headline">{ shown.headline }</p>
                { shown.result }
            </section>
            <div class="further">
                { controls }
                { shown.further }
            </div>
            <Status test="live-status" text={shown.status} />
        </main>
    }
}

/// What the screen shows of the readings.
struct Shown {
    headline: String,
    /// The comparison.
    result: Html,
    /// Counters and commands.
    further: Html,
    /// The announcement.
    status: String,
}

impl Shown {
    /// Only a message.
    fn only(headline: String) -> Self {
        Self {
            status: headline.clone(),
            headline,
            result: html! {},
            further: html! {},
        }
    }
}

/// The comparison of a stage with the requests in its window.
fn compared(stage: &LiveStage, outcome: &ScenarioOutcome, input: &LiveInput) -> Shown {
    let (compared, is_old) = with_monitor(|monitor| {
        let span = u64::from(input.span) * 1_000;
        let window = ObservedWindow::of(&monitor.readings, &stage.member_names(), span);
        let compared = window.map(|window| LiveComparison::new(stage, outcome, &window));
        (compared, monitor.fault.is_some())
    });
    let Some(compared) = compared else {
        return Shown::only(first_message());
    };
    let headline = headline(stage.name(), &compared);
    let commands = live_commands(&stage.scenario, &bridge::live_service());
    Shown {
        status: if is_old {
            "Cannot read Envoy; the data are old.".into()
        } else {
            headline.clone()
        },
        result: html! {
            <>
                <p class="sub" data-test="live-window">{ window_text(&compared) }</p>
                <Age />
                { bars(&compared, &headline) }
                { table(&compared) }
                { hosts(&compared) }
                if compared.no_host > 0.0 {
                    { note(LiveMessage::NoHost(&decimal(compared.no_host)).to_string()) }
                }
                { note(LiveMessage::Settings(stage.settings).to_string()) }
            </>
        },
        further: html! {
            <>
                { counters(&compared) }
                if !commands.is_empty() {
                    <Commands {commands} />
                }
            </>
        },
        headline,
    }
}

/// What is known before the first success.
fn first_message() -> String {
    with_monitor(|monitor| match &monitor.fault {
        Some(fault) => LiveMessage::Absent(fault).to_string(),
        None => LiveMessage::Reading.to_string(),
    })
}
