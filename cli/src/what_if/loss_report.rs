//! The answer of `what-if` as data: before, after, sweep, expectations and zone failures.

use spillgate_answers::{
    input::Faults,
    limits::Limits,
    split::{ClientNote, NoFigures, Split, split_of},
    unknown::UnknownClusters,
};
use spillgate_config::envoy::facts::HealthSignals;
use spillgate_core::{inspect, model::Model};
use spillgate_explain::host_address;
use spillgate_sim::{WhatIf, ZoneCell, ZoneFailure, ZoneLoss};

use super::{ejection::CappedEjection, question::Question};
use crate::spec::faults;

/// The effects of a loss.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The split without a loss.
    pub(crate) before: Split,
    /// The split without the lost hosts.
    pub(crate) after: Split,
    /// Loads, knees, margins and the sweep.
    pub(crate) what_if: WhatIf,
    /// The addresses of the lost hosts, in configuration order.
    pub(crate) lost: Vec<String>,
    /// The expectations, in the order of the arguments.
    pub(crate) expectations: Vec<Expected>,
    /// The moved ones of 65,536 evenly spaced hashes; `None` if hashes do not choose the host.
    pub(crate) keys_moved: Option<inspect::MovedKeys>,
    /// The effects of losing a part of each zone, zone by zone.
    pub(crate) matrix: Vec<Vec<ZoneCell>>,
    /// The effects of losing whole zones; empty unless requested.
    pub(crate) n_minus: Vec<ZoneFailure>,
    /// What the loss does if only outlier detection notices it, and cannot eject all lost hosts.
    pub(crate) capped: Option<CappedEjection>,
    /// The settings that are not modeled and concern the cluster.
    pub(crate) limits: Limits,
    /// For the rules of gRPC: what the figures assume, or why figures are missing.
    pub(crate) grpc: Option<ClientNote>,
}

/// The result of an expectation.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Expected {
    /// As given.
    pub(crate) expr: String,
    /// Whether it holds.
    pub(crate) ok: bool,
    /// The compared figure, if there is one.
    pub(crate) value: Option<f64>,
}

impl Answer {
    /// Computes the answer.
    pub(crate) fn new(
        model: &Model,
        question: &Question,
        limits: &Limits,
        unknown: &UnknownClusters,
        signals: Option<&HealthSignals>,
    ) -> Result<Self, Faults> {
        let scene = &question.scene;
        let what_if = scene.what_if(&question.lost, &question.swept);
        let mut wrong = Faults::default();
        let expectations = question
            .expectations
            .iter()
            .filter_map(|expectation| {
                let checked = expectation
                    .check(scene, &what_if)
                    .map_err(|fault| wrong.extend(faults("--expect", &expectation.text, &[fault])));
                checked.ok().map(|checked| Expected {
                    expr: expectation.text.clone(),
                    ok: checked.ok,
                    value: checked.value,
                })
            })
            .collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        // The requested cluster, or all of them.
        let names = question.chosen.then(|| question.name.clone());
        let split = |snapshot| {
            let split = split_of(model, snapshot, names.as_slice(), scene.criteria());
            split.without_hosts_of(unknown.clone())
        };
        let lost = what_if.lost.iter();
        Ok(Self {
            before: split(scene.snapshot()),
            after: split(&what_if.snapshot),
            lost: lost
                .map(|&host| host_address(scene.snapshot(), host).to_owned())
                .collect(),
            expectations,
            keys_moved: scene.keys_moved(&what_if.snapshot),
            matrix: question.zones.iter().map(|z| scene.cells(z)).collect(),
            n_minus: match question.n_minus {
                Some(2) => scene.failures(&question.zones, ZoneLoss::Pairs),
                Some(_) => scene.failures(&question.zones, ZoneLoss::Single),
                None => Vec::new(),
            },
            capped: signals.and_then(|of| CappedEjection::new(scene, &question.lost, of)),
            limits: limits.of_clusters(scene.snapshot(), [&scene.cluster()]),
            grpc: None,
            what_if,
        })
    }

    /// Why the client has no figures.
    pub(crate) fn no_figures(&self) -> Option<&NoFigures> {
        self.grpc.as_ref()?.no_figures.as_ref()
    }

    /// Whether the cluster survives every zone failure.
    pub(crate) fn survives(&self) -> bool {
        self.n_minus.iter().all(|failure| failure.state.survives())
    }
}

impl Question {
    /// The names of the zones of a failure.
    pub(crate) fn zone_names(&self, failure: &ZoneFailure) -> Vec<&str> {
        let zones = failure.zones.iter().filter_map(|&at| self.zones.get(at));
        zones.map(|zone| zone.zone.as_str()).collect()
    }
}
