//! Expectations: what must hold after a loss (`load(P0) >= 60`).

mod check;
mod parse;

pub use check::Checked;

use alloc::string::String;

use crate::Selector;

/// A promise about a cluster after a loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// As written.
    pub text: String,
    pub(crate) rule: Rule,
}

/// What is promised.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rule {
    /// A figure compares to a number.
    Figure {
        figure: Figure,
        comparison: Comparison,
        number: f64,
    },
    /// No priority with load panics.
    NoPanic,
    /// Every request finds a host.
    No503,
    /// `no_host` stays 0 and nothing panics whichever zone is lost, or whichever two.
    Survives { two: bool },
}

/// A figure of the cluster after the loss.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Figure {
    /// The load of priorities in percent.
    Load(Priorities),
    /// What hosts get together, in percent.
    Share(Selector),
    /// The highest ratio of load after to load before.
    Overload,
    /// Further losses until a priority panics.
    PanicMargin,
}

/// Priorities by their place or by terms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Priorities {
    /// `P0`: the place in the cluster, under an aggregate in the line of its members.
    Place { place: usize, before: usize },
    /// `cluster=`, `priority=`: the owner and its own priority.
    Of(Selector),
}

/// How a figure must compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}
