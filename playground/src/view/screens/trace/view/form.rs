//! The fields that describe the request.

use crate::{
    bridge,
    view::parts::{Choice, Number, note},
};
use spillgate_codec::import::RouteAnswer;
use spillgate_core::model::Policy;
use yew::prelude::*;

use super::{
    change::Change,
    request_fields::{addressee, request_fields},
    text::TextField,
};
use crate::view::screens::trace::{
    Addressee, Deciders, SessionKind, TraceMode, TraceRequest, TraceStage,
};

/// The fields. `routes` is the answer of the routes, if the import has any; `shown` is the name of the shown
/// cluster.
pub(super) fn form(
    stage: &TraceStage,
    request: &TraceRequest,
    (routes, shown): (Option<&RouteAnswer>, &str),
    change: &Change,
) -> Html {
    let input = &change.input;
    let is_routed = routes.is_some() && input.addressee == Addressee::Routes;
    let modes = [("one", "1 request"), ("many", "1,000 requests")];
    let mode = match input.mode {
        TraceMode::One => "one",
        TraceMode::Many => "many",
    };
    let on_mode = change.by(|input, mode: String| {
        input.mode = match mode.as_str() {
            "many" => TraceMode::Many,
            _ => TraceMode::One,
        };
    });
    let sessions = SessionKind::ALL.map(|kind| (kind.name(), kind.title()));
    let on_session = change.by(|input, name: String| {
        input.session = SessionKind::named(&name).unwrap_or_default();
    });
    let on_filter = change.by(|input, event: Event| {
        input.deciders = if bridge::checked(&event) {
            Deciders::ModelAndFilter
        } else {
            Deciders::Model
        };
    });
    html! {
        <div class="question">
            <Choice id="trace-mode" test="trace-mode" label="requests" options={options(&modes)} value={mode.to_owned()} on_value={on_mode} />
            <div class="slider">
                <span aria-hidden="true">{ "seed" }</span>
                <Number test="trace-seed" name="Seed of random choices" value={input.seed} min={0} max={u32::MAX}
                    on_value={change.by(|input, seed| input.seed = seed)} />
            </div>
            if let Some(answer) = routes {
                { addressee(shown, change) }
                if is_routed {
                    { request_fields(answer, change) }
                }
            }
            if !is_routed {
                { straight_fields(stage, change) }
            }
            <Choice id="trace-session" test="trace-session" label="session of" name="Session of" options={options(&sessions)}
                value={input.session.name().to_owned()} on_value={on_session} />
            if input.session != SessionKind::Without {
                { TextField {
                    test: "trace-session-host".into(),
                    label: "session host".into(),
                    example: "none: a new session".into(),
                    value: input.session_host.clone(),
                    on_value: change.by(|input, host: String| input.session_host = host.trim().into()),
                }.view() }
            }
            if asks_for_active(stage) || !input.active.is_empty() {
                { TextField {
                    test: "trace-active".into(),
                    label: "active requests".into(),
                    example: "10.0.0.1:80=3".into(),
                    value: input.active.clone(),
                    on_value: change.by(|input, active| input.active = active),
                }.view() }
            }
            if !request.active.unknown.is_empty() {
                { note(format!("Expected ADDRESS=NUMBER of a host, found {}.", request.active.unknown.join(", "))) }
            }
            if !is_routed {
                <label class="tick">
                    <input type="checkbox" data-test="trace-filter" checked={input.deciders == Deciders::ModelAndFilter}
                        onchange={on_filter} />
                    <span>{ "Run in the shipped filter too (spillgate.wasm)" }</span>
                </label>
            }
        </div>
    }
}

/// What a route would add to a request that goes straight to the cluster.
fn straight_fields(stage: &TraceStage, change: &Change) -> Html {
    let key = TextField {
        test: "trace-key".into(),
        label: "hash key".into(),
        example: "none: no request hash".into(),
        value: change.input.key.clone(),
        on_value: change.by(|input, key| input.key = key),
    };
    html! {
        <>
            { key.view() }
            { for stage.fields.iter().map(|field| criterion(field, change)) }
        </>
    }
}

fn criterion(field: &crate::view::screens::trace::CriterionField, change: &Change) -> Html {
    let key = field.key.clone();
    let mut options = vec![(String::new(), "not set".to_owned())];
    let labels = field.values.iter().map(|(label, _)| label);
    options.extend(labels.map(|label| (label.clone(), label.clone())));
    let value = change.input.criterion(&key).to_owned();
    let on_value = {
        let (change, key) = (change.clone(), key.clone());
        Callback::from(move |value: String| {
            let mut next = change.input.clone();
            next.set_criterion(&key, &value);
            change.set.emit(next);
        })
    };
    html! {
        <Choice id={format!("trace-criterion-{key}")} test={format!("trace-criterion-{key}")} label={key.clone()}
            name={format!("Subset criterion {key}")} {options} {value} {on_value} />
    }
}

/// Whether the choice of a host depends on active requests.
fn asks_for_active(stage: &TraceStage) -> bool {
    let owners = stage.snapshot.owners(stage.cluster);
    let mut plain = owners.filter_map(|id| stage.snapshot.plain(id));
    plain.any(|plain| {
        let settings = &plain.settings;
        matches!(settings.policy, Policy::LeastRequest(_)) || settings.hash_balance_factor.is_some()
    })
}

fn options(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let list = list.iter();
    list.map(|&(value, text)| (value.to_owned(), text.to_owned()))
        .collect()
}
