//! Which step of the chain serves a request, and what of each is told.

use alloc::{format, vec::Vec};

use super::ChosenSubset;
use crate::{
    model::{ChainHosts, Metadata},
    subset::{StepIndex, Verdict, first_step},
    trace::{Figure, Ground, Step, StepKind, Trace},
};

/// The first of a cluster's steps that serves.
pub(super) fn choose_step(
    steps: &mut dyn Iterator<Item = &StepIndex>,
    criteria: &Metadata,
    trace: &mut impl Trace,
) -> Option<ChosenSubset> {
    let (choice, reason) = first_step(steps, criteria, |at, index, verdict| {
        trace.step(|| told(at, index, criteria, verdict));
    })?;
    Some(ChosenSubset { choice, reason })
}

fn told(at: usize, index: &StepIndex, criteria: &Metadata, verdict: Verdict) -> Step {
    let step = &index.step;
    let hosts = match &step.hosts {
        ChainHosts::Keys(keys) => {
            let has = |key: &str| criteria.get(key).is_some();
            let asked = criteria.fields().iter();
            let asked = asked.filter(|field| keys.contains(&field.key));
            let asked = asked.map(|field| (field.key.clone(), field.value.clone()));
            match keys.iter().find(|key| !has(key)) {
                Some(key) => format!("hosts by {key}, which the request does not name"),
                None => format!("hosts with {}", Metadata::new(asked)),
            }
        }
        ChainHosts::Match(values) => format!("hosts with {values}"),
        ChainHosts::Any => "any host".into(),
    };
    let (why, outcome, health) = match verdict {
        Verdict::Skipped => ("skipped", "skipped", None),
        Verdict::NoHost => ("there is none", "no_host", None),
        Verdict::BelowMinimum(health) => ("too few are healthy", "below_minimum", Some(health)),
        Verdict::Serves {
            health,
            last_resort: true,
            ..
        } => (
            "too few are healthy, but it is the last resort",
            "last_resort",
            Some(health),
        ),
        Verdict::Serves { health, .. } => ("enough are healthy", "step", Some(health)),
    };
    let mut values: Vec<(&'static str, Figure)> =
        [("step", at.into()), ("reason", outcome.into())].into();
    if let Some(health) = health {
        values.extend([
            ("hosts", Figure::from(health.hosts)),
            ("counted", health.counted.into()),
            ("healthy", health.healthy.into()),
            ("healthy_percent", health.percent().into()),
            ("min_healthy_hosts", step.min_healthy_hosts.into()),
            ("min_healthy_percent", step.min_healthy_percent.into()),
        ]);
    }
    Step {
        kind: StepKind::Subset,
        what: format!("step {at}, {hosts}: {why}"),
        values,
        ground: Ground::ChainStep(at),
    }
}
