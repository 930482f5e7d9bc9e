//! What a trace says of each step of the chain.

use alloc::{format, string::String};

use crate::{
    model::{ChainHosts, StepHealth},
    subset::{StepIndex, Verdict},
    trace::{Ground, Step, StepKind},
};

/// What came of looking at a step.
pub(super) fn told(at: usize, index: &StepIndex, verdict: Verdict) -> Step {
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
