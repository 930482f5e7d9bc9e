//! The figures of a step by name, in a fixed order.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use spillgate_core::{
    subset::SubsetReason,
    trace::{ChainStepOutcome, ChainStepTried, Moved, StepData},
};

use super::session;

/// A figure of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The key in JSON.
    pub name: &'static str,
    /// The value.
    pub value: FigureValue,
    /// Whether the sentence of the step already contains the figure.
    pub in_sentence: bool,
}

/// The value of a figure. Whole numbers only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FigureValue {
    /// A number.
    Number(u64),
    /// A number for each priority or cluster.
    Numbers(Vec<u32>),
    /// Yes or no.
    Flag(bool),
    /// A name.
    Text(String),
}

impl From<u64> for FigureValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for FigureValue {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for FigureValue {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<&Vec<u32>> for FigureValue {
    fn from(numbers: &Vec<u32>) -> Self {
        Self::Numbers(numbers.clone())
    }
}

impl From<bool> for FigureValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for FigureValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// A figure that the sentence of the step does not contain.
pub(super) fn figure(name: &'static str, value: impl Into<FigureValue>) -> Figure {
    Figure {
        name,
        value: value.into(),
        in_sentence: false,
    }
}

/// A figure that the sentence of the step contains.
pub(super) fn said(name: &'static str, value: impl Into<FigureValue>) -> Figure {
    Figure {
        in_sentence: true,
        ..figure(name, value)
    }
}

/// The figures of a step.
#[must_use]
pub fn figures(step: &StepData) -> Vec<Figure> {
    match step {
        StepData::RouteMatched {
            virtual_host,
            route,
            ..
        } => vec![
            said("virtual_host", virtual_host.as_str()),
            said("route", route.as_str()),
        ],
        StepData::WeightedCluster(choice) => {
            let mut figures = vec![
                figure("weights", &choice.weights),
                figure("total", choice.total),
            ];
            figures.extend(choice.roll.map(|roll| figure("roll", roll)));
            figures
        }
        StepData::Routed { hash, .. } | StepData::ClusterHash { hash } => {
            hash.map(|hash| figure("hash", hash)).into_iter().collect()
        }
        StepData::Dropped { millionths } => {
            vec![figure("drop_overload_millionths", *millionths)]
        }
        StepData::ChainStep(tried) => of_chain_step(tried),
        StepData::Subset {
            criteria,
            reason,
            hosts,
            ..
        } => vec![
            figure("criteria", criteria.to_string().as_str()),
            said("reason", reason.name()),
            figure("hosts", *hosts),
        ],
        StepData::NoSubset { criteria } => {
            vec![figure("criteria", criteria.to_string().as_str())]
        }
        StepData::Member(choice) => vec![
            figure("roll", choice.roll),
            figure("line", choice.place),
            figure("healthy_load", &choice.healthy_load),
            figure("degraded_load", &choice.degraded_load),
            figure("panic_threshold", choice.panic_threshold),
            figure("retry", choice.retry),
        ],
        StepData::Priority(choice) => vec![
            figure("roll", choice.roll),
            figure("healthy_load", &choice.healthy_load),
            figure("degraded_load", &choice.degraded_load),
            figure("total_availability", choice.total_availability),
            figure("panic", choice.panic),
            figure("panic_threshold", choice.panic_threshold),
            figure("overprovisioning_factor", choice.overprovisioning_factor),
        ],
        StepData::Locality(choice) => vec![
            figure("localities", choice.localities),
            figure("hosts", choice.hosts),
        ],
        StepData::Host(choice) => vec![
            figure("hosts", choice.hosts),
            figure("attempt", choice.attempt),
        ],
        StepData::NoSession { reading, .. } => session::unread_figures(reading),
        StepData::SessionHost(found) => session::host_figures(found),
        StepData::Affinity { moved, .. } => {
            vec![said("reason", moved.map_or("kept", Moved::name))]
        }
        StepData::OverrideHosts { addresses, host } => vec![
            said("outcome", if host.is_some() { "named" } else { "unknown" }),
            figure("named", addresses.join(",").as_str()),
        ],
        _ => Vec::new(),
    }
}

fn of_chain_step(tried: &ChainStepTried) -> Vec<Figure> {
    let reason = match tried.outcome {
        ChainStepOutcome::Skipped => "skipped",
        ChainStepOutcome::NoHost => "no_host",
        ChainStepOutcome::BelowMinimum => "below_minimum",
        ChainStepOutcome::Serves => SubsetReason::Step.name(),
        ChainStepOutcome::LastResort => SubsetReason::LastResort.name(),
    };
    let health = &tried.health;
    vec![
        said("step", tried.at),
        said("reason", reason),
        figure("hosts", health.hosts),
        figure("counted", health.counted),
        figure("healthy", health.healthy),
        figure("healthy_percent", health.percent()),
        figure("min_healthy_hosts", tried.step.min_healthy_hosts),
        figure("min_healthy_percent", tried.step.min_healthy_percent),
    ]
}

impl FigureValue {
    /// The value as text: `70`, `[70 30]`, `yes`, `"shop"`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                format!("[{}]", numbers.join(" "))
            }
            Self::Flag(true) => "yes".into(),
            Self::Flag(false) => "no".into(),
            Self::Text(text) => format!("{text:?}"),
        }
    }
}
