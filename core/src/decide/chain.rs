//! Which step of the chain serves a request, and what of each is told.

use alloc::{format, string::String};

use super::ChosenSubset;
use crate::{
    model::{ChainHosts, Metadata, StepHealth},
    subset::{StepIndex, Verdict, first_step},
    trace::{Ground, Step, StepKind, Trace},
};

/// The first of a cluster's steps that serves.
pub(super) fn choose_step(
    steps: &mut dyn Iterator<Item = &StepIndex>,
    criteria: &Metadata,
    trace: &mut impl Trace,
) -> Option<ChosenSubset> {
    let (choice, reason) = first_step(steps, criteria, |at, index, verdict| {
        trace.step(|| told(at, index, verdict));
    })?;
    Some(ChosenSubset { choice, reason })
}

fn told(at: usize, index: &StepIndex, verdict: Verdict) -> Step {
    let step = &index.step;
    let hosts: String = match &step.hosts {
        ChainHosts::Keys(keys) => keys.join(", "),
        ChainHosts::Match(values) => format!("{values}"),
        ChainHosts::Any => "any host".into(),
    };
    let (reason, why, health) = match verdict {
        Verdict::Skipped => ("skipped", "the request lacks a key", StepHealth::default()),
        Verdict::NoHost => ("no_host", "there is no such host", StepHealth::default()),
        Verdict::BelowMinimum(health) => ("below_minimum", "too few are healthy", health),
        Verdict::Serves {
            health,
            last_resort: true,
            ..
        } => ("last_resort", "the last resort", health),
        Verdict::Serves { health, .. } => ("step", "enough are healthy", health),
    };
    Step {
        kind: StepKind::Subset,
        what: format!("step {at} ({hosts}): {why}"),
        values: [
            ("step", at.into()),
            ("reason", reason.into()),
            ("hosts", health.hosts.into()),
            ("counted", health.counted.into()),
            ("healthy", health.healthy.into()),
            ("healthy_percent", health.percent().into()),
            ("min_healthy_hosts", step.min_healthy_hosts.into()),
            ("min_healthy_percent", step.min_healthy_percent.into()),
        ]
        .into(),
        ground: Ground::ChainStep(at),
    }
}
