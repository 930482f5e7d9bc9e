//! Expectations: conditions that must hold after a loss (`load(P0) >= 60`).

mod change;
mod check;
mod parse;
mod traffic;

pub use change::{ChangeExpectation, ChangeFigure};
pub use check::Checked;
pub use traffic::TrafficExpectation;

pub(crate) use check::zero;
pub use parse::{compared, number};

use alloc::string::String;

use crate::{Selector, ZoneLoss};

/// A condition on a cluster after a loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The text.
    pub text: String,
    pub(crate) rule: Rule,
}

/// The condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rule {
    /// A figure compares to a number.
    Figure {
        figure: Figure,
        comparison: Comparison,
        number: f64,
    },
    /// No priority with load is in panic mode.
    NoPanic,
    /// Every request finds a host.
    No503,
    /// After each of these losses, `no_host` stays 0 and no priority with load is in panic mode.
    Survives(ZoneLoss),
}

/// A figure of the cluster after the loss.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Figure {
    /// The load of priorities in percent.
    Load(Priorities),
    /// The sum of the shares of hosts, in percent.
    Share(Selector),
    /// The highest ratio of share after to share before.
    Overload,
    /// The number of further losses until a priority is in panic mode.
    PanicMargin,
}

/// Priorities, by index or by terms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Priorities {
    /// `P0`: the index in the cluster; for an aggregate, in its linearized priorities. `before` is
    /// the number of characters before it in the text.
    Place { place: usize, before: usize },
    /// `cluster=`, `priority=`: the owning cluster and its own priority.
    Of(Selector),
}

/// How a figure must compare to the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=` or `==`
    Equal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}
