//! The answer of `what-if` as data: before, after, sweep, expectations and zone failures.

use spillgate_answers::{
    input::Faults,
    limits::Limits,
    split::{ClientNote, NoFigures, Split, split_of},
    unknown::UnknownClusters,
};
use spillgate_config::envoy::facts::HealthSignals;
use spillgate_core::{inspect, model::Model, snapshot::HostRef};
use spillgate_explain::host_address;
use spillgate_sim::{
    Checked, Expectation, LoadState, SpecFault, WhatIf, ZoneCell, ZoneFailure, ZoneLoss,
};

use super::{
    ejection::CappedEjection,
    question::{AbsentHosts, Question},
};
use crate::spec::faults;

/// The effects of a loss.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The split without a loss.
    pub(crate) before: Split,
    /// The split without the lost hosts.
    pub(crate) after: Split,
    /// Loads, onsets, margins and the sweep.
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
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct Expected {
    /// As given.
    pub(crate) expr: String,
    /// Whether it holds.
    pub(crate) ok: bool,
    /// The compared figure, if there is one.
    pub(crate) value: Option<f64>,
    /// Why it has no figure and does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The hosts or the priority that it names and that this cluster does not have.
    #[serde(skip)]
    pub(crate) absent: Option<Box<SpecFault>>,
}

impl Expected {
    /// A compared figure.
    pub(crate) fn of(expr: impl Into<String>, checked: Checked) -> Self {
        Self {
            expr: expr.into(),
            ok: checked.ok,
            value: checked.value,
            reason: None,
            absent: None,
        }
    }

    /// No figure, for this reason: the expectation fails.
    pub(crate) fn unknown(expr: impl Into<String>, reason: Option<String>) -> Self {
        Self {
            expr: expr.into(),
            ok: false,
            value: None,
            reason,
            absent: None,
        }
    }
}

/// The results of all expectations of a question; `state` gives the loads without hosts.
///
/// # Errors
/// Those that name hosts or priorities that do not exist.
pub(super) fn check_expectations(
    question: &Question,
    what_if: &WhatIf,
    state: &dyn Fn(&[HostRef]) -> LoadState,
) -> Result<Vec<Expected>, Faults> {
    let mut wrong = Faults::default();
    let mut found = Vec::new();
    for expectation in &question.expectations {
        match expectation.check_with(question.scene(), what_if, state) {
            Ok(checked) => found.push(Expected::of(&expectation.text, checked)),
            Err(fault) => match question.subject.absent {
                AbsentHosts::GetNothing => found.push(without_hosts(expectation, fault)),
                AbsentHosts::Reject => {
                    wrong.extend(faults("--expect", &expectation.text, &[fault]));
                }
            },
        }
    }
    if wrong.is_empty() {
        Ok(found)
    } else {
        Err(wrong)
    }
}

/// The result in a cluster without the hosts, the priority or the zones of an expectation.
fn without_hosts(expectation: &Expectation, fault: SpecFault) -> Expected {
    match expectation.check_absent() {
        Some(checked) => Expected {
            absent: Some(Box::new(fault)),
            ..Expected::of(&expectation.text, checked)
        },
        None => Expected::unknown(&expectation.text, Some(fault.message.into())),
    }
}

impl Answer {
    /// Computes the answer. The keys are extra work: [`Answer::with_keys`].
    pub(crate) fn new(
        question: &Question,
        limits: &Limits,
        unknown: &UnknownClusters,
        signals: Option<&HealthSignals>,
    ) -> Result<Self, Faults> {
        let subject = &question.subject;
        let scene = &subject.scene;
        let (lost, swept) = (&question.lost, &question.swept);
        let what_if = match &subject.before {
            Some(before) => scene.what_if_since(&before.scene, lost, swept),
            None => scene.what_if(lost, swept),
        };
        let expectations = check_expectations(question, &what_if, &|lost| scene.state(lost))?;
        // The requested cluster, or all of them.
        let names = subject.chosen.then(|| subject.name.clone());
        let split = |model: &Model, snapshot| {
            let split = split_of(model, snapshot, names.as_slice(), scene.criteria());
            split.without_hosts_of(unknown.clone())
        };
        let lost = what_if.lost.iter();
        Ok(Self {
            before: match &subject.before {
                Some(before) => split(&before.model, before.scene.snapshot()),
                None => split(&subject.model, scene.snapshot()),
            },
            after: split(&subject.model, &what_if.snapshot),
            lost: lost
                .map(|&host| host_address(scene.snapshot(), host).to_owned())
                .collect(),
            expectations,
            keys_moved: None,
            matrix: question
                .zones
                .iter()
                .map(|z| scene.zone_loss_row(z))
                .collect(),
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

    /// Adds the keys that move.
    pub(crate) fn with_keys(mut self, question: &Question) -> Self {
        let subject = &question.subject;
        let before = subject
            .before
            .as_ref()
            .map_or(&subject.scene, |of| &of.scene);
        self.keys_moved = before.keys_moved(&self.what_if.snapshot);
        self
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
