//! The figures of a step by name, in a fixed order.

use alloc::{string::ToString, vec, vec::Vec};

use spillgate_core::{
    model::Metadata,
    subset::SubsetReason,
    trace::{ChainStepOutcome, ChainStepTried, SessionMove, StepData},
};

use super::{
    figure::{StepFigure, flag, number, numbers, text},
    session,
};

/// The figures of a step.
#[must_use]
pub fn figures(step: &StepData) -> Vec<StepFigure> {
    match step {
        StepData::RouteMatched {
            virtual_host,
            route,
            fraction,
            ..
        } => {
            let mut figures = vec![
                text("virtual_host", virtual_host.as_str()).said(),
                text("route", route.as_str()).said(),
            ];
            if let Some(fraction) = fraction {
                figures.push(number("numerator", fraction.share.numerator));
                figures.push(number("denominator", fraction.share.denominator.number()));
                figures.push(number("roll", fraction.number).said());
            }
            figures
        }
        StepData::WeightedCluster(choice) => {
            let mut figures = vec![
                numbers("weights", &choice.weights),
                number("total", choice.total),
            ];
            figures.extend(choice.roll.map(|roll| number("roll", roll).said()));
            figures
        }
        StepData::Routed { hash, .. } | StepData::ClusterHash { hash } => {
            hash.map(|hash| number("hash", hash)).into_iter().collect()
        }
        StepData::Dropped { millionths } => vec![number("drop_overload_millionths", *millionths)],
        StepData::ChainStep(tried) => of_chain_step(tried),
        StepData::Subset {
            criteria,
            kept,
            reason,
            hosts,
            ..
        } => {
            let mut figures = of_criteria(criteria, kept.as_ref());
            figures.push(text("reason", reason.name()).said());
            figures.push(number("hosts", *hosts as u64));
            figures
        }
        StepData::NoSubset { criteria, kept } => of_criteria(criteria, kept.as_ref()),
        StepData::Member(choice) => vec![
            number("roll", choice.roll).said(),
            number("line", choice.index as u64),
            numbers("healthy_load", &choice.healthy_load),
            numbers("degraded_load", &choice.degraded_load),
            number("panic_threshold", choice.panic_threshold),
            flag("retry", choice.retry.is_some()),
        ],
        StepData::CompositeMember { attempt, .. } => {
            vec![number("attempt", *attempt as u64).said()]
        }
        StepData::Priority(choice) => vec![
            number("roll", choice.roll).said(),
            numbers("healthy_load", &choice.healthy_load),
            numbers("degraded_load", &choice.degraded_load),
            number("total_availability", choice.total_availability),
            flag("panic", choice.panic),
            number("panic_threshold", choice.panic_threshold),
            number("overprovisioning_factor", choice.overprovisioning_factor),
        ],
        StepData::Locality(choice) => vec![
            number("localities", choice.localities as u64),
            number("hosts", choice.hosts as u64),
        ],
        StepData::Host(choice) => {
            let mut figures = vec![
                number("hosts", choice.hosts as u64),
                number("attempt", choice.attempt),
            ];
            if choice.choice > 0 {
                figures.push(number("choice", choice.choice));
            }
            figures
        }
        StepData::NoSession { reading, .. } => session::unread_figures(reading),
        StepData::SessionHost(found) => session::host_figures(found),
        StepData::Affinity { moved, .. } => {
            vec![text("reason", moved.map_or("kept", SessionMove::name)).said()]
        }
        StepData::OverrideHosts { addresses, host } => {
            let outcome = if host.is_some() { "named" } else { "unknown" };
            vec![
                text("outcome", outcome).said(),
                text("named", addresses.join(",")),
            ]
        }
        _ => Vec::new(),
    }
}

fn of_criteria(criteria: &Metadata, kept: Option<&Metadata>) -> Vec<StepFigure> {
    let mut figures = vec![text("criteria", criteria.to_string())];
    figures.extend(kept.map(|kept| text("kept_criteria", kept.to_string()).said()));
    figures
}

fn of_chain_step(tried: &ChainStepTried) -> Vec<StepFigure> {
    let reason = match tried.outcome {
        ChainStepOutcome::Skipped => "skipped",
        ChainStepOutcome::NoHost => "no_host",
        ChainStepOutcome::BelowMinimum => "below_minimum",
        ChainStepOutcome::Serves => SubsetReason::Step.name(),
        ChainStepOutcome::LastResort => SubsetReason::LastResort.name(),
    };
    let health = &tried.health;
    vec![
        number("step", tried.at as u64).said(),
        text("reason", reason).said(),
        number("hosts", health.hosts),
        number("counted", health.counted),
        number("healthy", health.healthy),
        number("healthy_percent", health.percent()),
        number("min_healthy_hosts", tried.step.min_healthy_hosts),
        number("min_healthy_percent", tried.step.min_healthy_percent),
    ]
}
