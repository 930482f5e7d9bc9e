//! The answer under gRPC's rules.

use std::sync::Arc;

use spillgate_answers::{
    grpc::{GrpcLosses, GrpcReading, model_without},
    input::Faults,
    split::ClientNote,
};
use spillgate_core::{model::Model, snapshot::HostRef};
use spillgate_explain::host_address;
use spillgate_sim::{LoadState, WhatIf, ZoneLoss, onsets, overload};

use crate::{
    client::grpc_split,
    config::Config,
    what_if::{
        loss_report::{Answer, Expected, check_expectations},
        question::Question,
    },
};

/// What every answer about a loss assumes.
const ASSUMED: &str = "lost hosts count as UNHEALTHY in EDS; a client that finds connections refused leaves them, too, \
                       after its connection attempts";

impl Answer {
    /// Computes the answer for a gRPC client.
    pub(in crate::what_if) fn of_grpc(
        config: &Config,
        question: &Question,
        reading: &GrpcReading,
    ) -> Result<Self, Faults> {
        let (model, scene) = (&config.envoy.model, question.scene());
        let snapshot = scene.snapshot();
        let Some(losses) = GrpcLosses::new(reading, model, snapshot, question.name()) else {
            // The question is about a cluster of the model.
            return Err(Faults::default());
        };
        let state = |lost: &[HostRef]| losses.without(lost).loads;
        let (before, after) = (losses.without(&[]), losses.without(&question.lost));
        let mut note = after.note;
        note.no_figures = before.note.no_figures.or(note.no_figures);
        let known = note.no_figures.is_none();
        if known && !question.lost.is_empty() {
            note.notes.push(ASSUMED.into());
        }
        note.notes.extend(unreached(question, model));
        let sweep = if known {
            sweep(question, &state)
        } else {
            Vec::new()
        };
        let what_if = WhatIf {
            onsets: onsets(&sweep),
            panic_margin: None,
            overload: overload(&before.shares, &after.shares, &question.lost),
            before: before.loads,
            after: after.loads,
            lost: question.lost.clone(),
            swept: question.swept.clone(),
            snapshot: snapshot.clone(),
            shares_before: before.shares,
            shares_after: after.shares,
            sweep: Arc::from(sweep),
        };
        let names = question.subject.chosen.then(|| question.name().to_owned());
        let split = |model: &Model| grpc_split(config, model, reading, names.as_slice());
        let zones = if known {
            question.zones.as_slice()
        } else {
            &[]
        };
        let failures = |loss| scene.failures_with(zones, loss, &state);
        Ok(Self {
            before: split(model)?,
            after: split(&model_without(model, &question.lost))?,
            lost: question
                .lost
                .iter()
                .map(|&host| host_address(snapshot, host).to_owned())
                .collect(),
            expectations: expectations(question, &what_if, &note, &state)?,
            keys_moved: None,
            matrix: zones
                .iter()
                .map(|zone| scene.zone_loss_row_with(zone, &state))
                .collect(),
            n_minus: match question.n_minus {
                Some(2) => failures(ZoneLoss::Pairs),
                Some(_) => failures(ZoneLoss::Single),
                None => Vec::new(),
            },
            capped: None,
            limits: config.limits().of_clusters(snapshot, [&scene.cluster()]),
            grpc: Some(note),
            what_if,
        })
    }
}

/// The loads after losing 0, 1, 2, ... of the swept hosts, and the lost ones that are not swept.
fn sweep(question: &Question, state: &dyn Fn(&[HostRef]) -> LoadState) -> Vec<LoadState> {
    let kept = question
        .lost
        .iter()
        .filter(|host| !question.swept.contains(host));
    let mut lost: Vec<HostRef> = kept.copied().collect();
    let mut states = vec![state(&lost)];
    for host in question.scene().loss_order(&question.swept) {
        lost.push(host);
        states.push(state(&lost));
    }
    states
}

/// The results of the expectations. Without figures, none holds.
fn expectations(
    question: &Question,
    what_if: &WhatIf,
    note: &ClientNote,
    state: &dyn Fn(&[HostRef]) -> LoadState,
) -> Result<Vec<Expected>, Faults> {
    if note.no_figures.is_none() {
        return check_expectations(question, what_if, state);
    }
    let texts = question.expectations.iter().map(|of| &of.text);
    Ok(texts.map(|text| Expected::unknown(text, None)).collect())
}

/// Members of members: gRPC uses their hosts, and losses, which select among Envoy's, do not reach them.
fn unreached(question: &Question, model: &Model) -> Option<String> {
    let members = model.cluster(question.name())?.members().iter();
    let nested = members.filter(|name| {
        let member = model.cluster(name);
        member.is_some_and(|member| !member.members().is_empty())
    });
    let nested: Vec<&str> = nested.map(String::as_str).collect();
    (!nested.is_empty()).then(|| {
        format!(
            "hosts of aggregates inside the aggregate ({}) are never lost here: Envoy skips these members",
            nested.join(", ")
        )
    })
}
