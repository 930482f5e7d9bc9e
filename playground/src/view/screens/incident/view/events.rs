//! The fields of the script: what happens to which hosts and when, and the load.

use std::rc::Rc;

use spillgate_codec::import::IncidentFault;
use yew::prelude::*;

use crate::view::{
    parts::{Button, Choice, Number},
    screens::{
        incident::{
            EventAmount, HostAction, IncidentInput, IncidentStage, OutageEvent, ShownIncident,
        },
        over_time::TimeField,
    },
};

/// The longest time of a field: a day, in milliseconds.
const LONGEST: u64 = 86_400_000;

#[derive(PartialEq, Properties)]
pub(super) struct EventsProps {
    pub(super) stage: Rc<IncidentStage>,
    pub(super) input: IncidentInput,
    pub(super) on_input: Callback<IncidentInput>,
    pub(super) run: Option<ShownIncident>,
    pub(super) faults: Vec<IncidentFault>,
}

/// A row for each event, then the load and the end.
#[component]
pub(super) fn Events(props: &EventsProps) -> Html {
    let EventsProps { stage, input, .. } = props;
    let events = stage.events(input);
    let set = {
        let input = input.clone();
        props.on_input.reform(move |events| IncidentInput {
            events: Some(events),
            ..input.clone()
        })
    };
    let rows = events.iter().enumerate().map(|(at, event)| {
        let fault = props.faults.iter().find(|fault| fault.event == Some(at));
        event_row(at, event, &events, stage, fault, &set)
    });
    let add = {
        let (stage, events) = (Rc::clone(stage), events.clone());
        let at = input.at.unwrap_or(10_000);
        set.reform(move |_: MouseEvent| {
            let new = stage.new_event(HostAction::Fail, at, Some(at + 60_000));
            events.iter().cloned().chain(new).collect()
        })
    };
    let add = Button {
        class: "",
        test: Some("incident-add".into()),
        name: None,
        text: "Add an event".into(),
        disabled: false,
        onclick: add,
    };
    let end = props.run.as_ref().map_or(0, |run| run.record.end / 1_000);
    html! {
        <div class="events" role="group" aria-label="Script">
            { for rows }
            <p class="copies">{ add.view() }</p>
            { load(input, end, stage.has_sessions(), &props.on_input) }
        </div>
    }
}

fn event_row(
    at: usize,
    event: &OutageEvent,
    events: &[OutageEvent],
    stage: &IncidentStage,
    fault: Option<&IncidentFault>,
    set: &Callback<Vec<OutageEvent>>,
) -> Html {
    let number = at + 1;
    let replace = |change: fn(OutageEvent, u64) -> OutageEvent| {
        let events = events.to_vec();
        set.reform(move |value: u64| changed(&events, at, |event| change(event, value)))
    };
    let on_hosts = {
        let events = events.to_vec();
        set.reform(move |hosts: String| {
            changed(&events, at, |event| OutageEvent { hosts, ..event })
        })
    };
    let on_kind = {
        let events = events.to_vec();
        set.reform(move |name: String| {
            changed(&events, at, |event| {
                let kind = HostAction::named(&name).unwrap_or(event.kind);
                let amount = kind.first_amount();
                OutageEvent {
                    kind,
                    amount,
                    ..event
                }
            })
        })
    };
    let on_remove = {
        let events = events.to_vec();
        set.reform(move |_: MouseEvent| {
            let kept = events.iter().enumerate().filter(|(place, _)| *place != at);
            kept.map(|(_, event)| event.clone()).collect()
        })
    };
    let options = stage.options.iter();
    let options: Vec<(String, String)> = options
        .map(|of| (of.selector.clone(), of.title.clone()))
        .collect();
    let kinds = HostAction::ALL.map(|kind| (kind.name().to_owned(), kind.title().to_owned()));
    let remove = Button {
        class: "",
        test: Some(format!("incident-remove-{at}")),
        name: Some(format!("Remove event {number}")),
        text: "Remove".into(),
        disabled: false,
        onclick: on_remove,
    };
    let on_from = replace(|event, from| OutageEvent {
        to: event.to.map(|to| if to > from { to } else { from + 1_000 }),
        from,
        ..event
    });
    let on_to = replace(|event, to| OutageEvent {
        to: Some(to.max(event.from + 1)),
        ..event
    });
    html! {
        <div class="event-row" role="group" aria-label={format!("Event {number}")} key={at}>
            <Choice id={format!("incident-hosts-{at}")} test={format!("incident-hosts-{at}")} name={format!("Hosts of event {number}")}
                options={options} value={event.hosts.clone()} otherwise={event.hosts.clone()} on_value={on_hosts} />
            <Choice id={format!("incident-kind-{at}")} test={format!("incident-kind-{at}")} name={format!("What the hosts of event {number} do")}
                options={kinds.to_vec()} value={event.kind.name().to_owned()} on_value={on_kind} />
            { amount(at, event, &replace(|event, amount| OutageEvent { amount: u32::try_from(amount).unwrap_or(u32::MAX), ..event })) }
            <span class="times">
                { "from " }
                <TimeField test={format!("incident-from-{at}")} name={format!("Start of event {number} in seconds")} value={event.from} max={LONGEST} step={1} on_value={on_from} />
                { " s to " }
                <TimeField test={format!("incident-to-{at}")} name={format!("End of event {number} in seconds")} value={event.to.unwrap_or(LONGEST)} max={LONGEST} step={1} on_value={on_to} />
                { " s" }
            </span>
            { remove.view() }
            if let Some(fault) = fault {
                <p class="note alarm" role="alert">{ fault.message.clone() }</p>
            }
        </div>
    }
}

/// The field of the amount, if the kind has one.
fn amount(at: usize, event: &OutageEvent, on_value: &Callback<u64>) -> Html {
    let test = format!("incident-amount-{at}");
    let number = at + 1;
    match event.kind.amount() {
        None => html! {},
        Some(EventAmount::Percent) => html! {
            <span class="times">
                <Number {test} name={format!("Errors of event {number} in percent")} value={event.amount} min={1} max={100} on_value={on_value.reform(u64::from)} />
                { " %" }
            </span>
        },
        Some(EventAmount::Millis) => html! {
            <span class="times">
                <TimeField {test} name={format!("Time of event {number} in seconds")} value={u64::from(event.amount)} max={LONGEST} step={1} on_value={on_value.clone()} />
                { " s" }
            </span>
        },
    }
}

/// The fields of the load and of the end.
fn load(
    input: &IncidentInput,
    end: u64,
    has_sessions: bool,
    on_input: &Callback<IncidentInput>,
) -> Html {
    let on_rps = {
        let input = input.clone();
        on_input.reform(move |rps: u32| IncidentInput {
            rps: Some(rps),
            ..input.clone()
        })
    };
    let on_service_time = {
        let input = input.clone();
        on_input.reform(move |time: u32| IncidentInput {
            service_time: Some(time).filter(|time| *time > 0),
            ..input.clone()
        })
    };
    let on_sessions = {
        let input = input.clone();
        on_input.reform(move |clients: u32| IncidentInput {
            sessions: Some(clients).filter(|clients| *clients > 0),
            ..input.clone()
        })
    };
    let on_until = {
        let input = input.clone();
        on_input.reform(move |until: u64| IncidentInput {
            until: Some(until).filter(|until| *until > 0),
            ..input.clone()
        })
    };
    html! {
        <div class="event-row" role="group" aria-label="Load">
            <span class="times">
                <Number test="incident-rps" name="Requests per second" value={input.rps.unwrap_or(IncidentInput::FIRST_RPS)} min={1}
                    max={IncidentInput::MOST_RPS} on_value={on_rps} />
                { " requests/s, service time " }
                <Number test="incident-service-time" name="Service time in milliseconds, 0 if it is not known" value={input.service_time.unwrap_or_default()} min={0}
                    max={IncidentInput::MOST_SERVICE_MILLIS} on_value={on_service_time} />
                { " ms, " }
                if has_sessions {
                    <Number test="incident-sessions" name="Clients with a session, 0 for none" value={input.sessions.unwrap_or_default()} min={0}
                        max={IncidentInput::MOST_SESSIONS} on_value={on_sessions} />
                    { " sessions, " }
                }
                { "until " }
                <TimeField test="incident-until" name="End of the simulated time in seconds" value={input.until.unwrap_or(end)} max={LONGEST} step={1} on_value={on_until} />
                { " s" }
            </span>
        </div>
    }
}

/// The events with another one at a place.
fn changed(
    events: &[OutageEvent],
    at: usize,
    change: impl FnOnce(OutageEvent) -> OutageEvent,
) -> Vec<OutageEvent> {
    let mut events = events.to_vec();
    if let Some(event) = events.get_mut(at) {
        *event = change(event.clone());
    }
    events
}
