//! `spillgate what-if --format json`: the keys of `docs/schemas/what-if.schema.json` in a fixed order.

use serde_json::{Map, Value, json};
use spillgate_answers::split::NoFigures;
use spillgate_explain::{
    host_address,
    report::{LoadState, Onset, PriorityRow},
};
use spillgate_sim::{Zone, ZoneCell, ZoneFailure};

use super::{changed::OwnChanges, loss_report::Answer, question::Question};

/// The whole answer.
pub(super) fn value(question: &Question, answer: &Answer) -> Value {
    if let Some(no_figures) = answer.no_figures() {
        return without_figures(question, answer, no_figures);
    }
    let what_if = &answer.what_if;
    let overloaded = what_if
        .overload
        .map(|worst| worst.host)
        .map(|host| host_address(question.scene().snapshot(), host));
    let sweep = what_if.sweep.iter().enumerate();
    let matrix = question.zones.iter().zip(&answer.matrix);
    let n_minus = answer.n_minus.iter();
    let mut value = json!({
        "before": answer.before,
        "after": answer.after,
        "onsets": what_if.onsets.iter().map(onset).collect::<Value>(),
        "panic_margin": what_if.panic_margin,
        "overload": what_if.overload.map(|worst| worst.factor()),
        "sweep": sweep.map(|(lost, state)| sweep_row(lost, state)).collect::<Value>(),
        "expectations": answer.expectations,
        "cluster": question.name(),
        "lost": answer.lost,
        "overloaded": overloaded,
        "keys_moved": answer.keys_moved.as_ref().map(|moved| json!({
            "keys": moved.keys,
            "moved": moved.moved,
            "avoidable": moved.avoidable,
        })),
        "outlier_detection": answer.capped,
        "matrix": matrix.map(|(zone, cells)| zone_row(zone, cells)).collect::<Value>(),
        "n_minus": n_minus.map(|failure| failure_row(question, failure)).collect::<Value>(),
        "survives": question.n_minus.is_some().then(|| answer.survives()),
    });
    if let Some(value) = value.as_object_mut() {
        if let Some(note) = &answer.grpc {
            value.insert("client".into(), json!("grpc"));
            value.insert("notes".into(), json!(note.notes));
        }
        answer.limits.add_to(value);
        add_changes(value, &question.subject.changes);
    }
    value
}

/// What `--add` and `--set` change, if they are given.
fn add_changes(value: &mut Map<String, Value>, changes: &OwnChanges) {
    if !changes.additions.is_empty() {
        value.insert("added".into(), json!(changes.addresses));
    }
    if !changes.settings.is_empty() {
        value.insert("set".into(), json!(changes.settings));
    }
}

/// The answer for a client that has no figures.
fn without_figures(question: &Question, answer: &Answer, no_figures: &NoFigures) -> Value {
    let (key, why) = match no_figures {
        NoFigures::Rejected(why) => ("rejected", why),
        NoFigures::Unknown(why) => ("unknown", why),
    };
    json!({
        "client": "grpc",
        "cluster": question.name(),
        "lost": answer.lost,
        key: why,
        "expectations": answer.expectations,
    })
}

/// The first loss with an effect.
fn onset(onset: &Onset) -> Value {
    json!({"lost": onset.lost, "what": onset.what.name(), "priority": onset.priority})
}

/// The state after a number of lost hosts.
fn sweep_row(lost: usize, state: &LoadState) -> Value {
    let rows = || state.priorities.iter();
    json!({
        "lost": lost,
        "healthy_load": rows().map(|row| row.healthy_load).collect::<Vec<u32>>(),
        "degraded_load": rows().map(|row| row.degraded_load).collect::<Vec<u32>>(),
        "panic": rows().map(PriorityRow::in_panic_mode).collect::<Vec<bool>>(),
        "no_host": state.no_host,
    })
}

/// The effects of losing a part of a zone.
fn zone_row(zone: &Zone, cells: &[ZoneCell]) -> Value {
    let cell = |cell: &ZoneCell| {
        let effect = cell.effect.name();
        json!({"percent": cell.percent, "lost": cell.lost, "effect": effect})
    };
    json!({
        "region": zone.region,
        "zone": zone.zone,
        "hosts": zone.hosts.len(),
        "cells": cells.iter().map(cell).collect::<Value>(),
    })
}

/// The state after losing whole zones.
fn failure_row(question: &Question, failure: &ZoneFailure) -> Value {
    let state = &failure.state;
    let places = 0..state.priorities.len();
    json!({
        "zones": question.zone_names(failure),
        "load": state.loads().collect::<Vec<u32>>(),
        "panic": places.map(|place| state.panics(place)).collect::<Vec<bool>>(),
        "no_host": state.no_host,
        "survives": state.survives(),
    })
}
