//! Formulas: the rules behind figures, as expressions over their values.

use alloc::{boxed::Box, vec::Vec};

/// The rule behind a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formula {
    /// No rule: the configuration or the state of the hosts gives the figure.
    Given,
    /// An expression, and the condition under which it applies.
    Value {
        /// The expression.
        expr: Expr,
        /// The condition; `None` if the expression always applies.
        when: Option<Condition>,
    },
    /// A retry avoids the priority.
    Excluded,
    /// The load of the healthy hosts alone.
    HealthyLoad,
    /// The load of the healthy hosts, then of the degraded ones.
    HealthyAndDegradedLoad {
        /// Of the healthy hosts, in percent.
        healthy: u32,
        /// Of the degraded hosts, in percent.
        degraded: u32,
    },
    /// Panic mode: `usable` of `counted` hosts compared with the threshold in percent.
    Panic {
        /// Healthy and degraded hosts.
        usable: u32,
        /// The hosts that availability is relative to.
        counted: u32,
        /// The panic threshold.
        threshold: u32,
    },
    /// No panic mode while the total availability is 100.
    NoPanicAtFullAvailability,
    /// A panic threshold of 0 disables panic mode.
    NoPanicAtThresholdZero,
}

/// An expression over whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expr {
    /// A number.
    Number(u64),
    /// A number with its meaning.
    Term(u64, Term),
    /// A figure without a number: a share of it differs for each host.
    Symbol(Symbol),
    /// The smallest.
    Min(Vec<Self>),
    /// Rounded down.
    Floor(Box<Self>),
    /// The sum.
    Sum(Vec<Self>),
    /// The product.
    Product(Vec<Self>),
    /// The ratio of the first to the second.
    Ratio(Box<Self>, Box<Self>),
}

/// The meaning of a number in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// Percent that earlier priorities left over.
    Left,
    /// Percent that hosts have capacity for.
    Available,
    /// Percent that rounding left over.
    Rounding,
    /// Percent that the first priority keeps because no host is usable.
    FirstPriority,
    /// Hosts.
    Hosts,
    /// The weight of a host.
    Weight,
}

/// A figure in an expression without its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// The load of the priority.
    Load,
    /// The number of hosts.
    HostCount,
    /// The sum of the host weights.
    SumOfWeights,
    /// The part of the hash ring that leads to the host.
    RingArcs,
    /// The part of the Maglev table that leads to the host.
    MaglevSlots,
}

/// The condition under which an expression applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Host weights count instead of hosts.
    ByWeight,
    /// Every priority is in panic mode.
    TotalPanic,
    /// The load is frozen from the time when only the first priorities existed and were in panic
    /// mode, see [`filled_load`](crate::load::filled_load).
    Frozen {
        /// The number of those priorities.
        priorities: usize,
    },
    /// The usable hosts of the priority share its load.
    AmongUsable {
        /// Whether the shares hold only while all hosts are idle.
        while_idle: bool,
    },
    /// All hosts of the priority share its load, because it is in panic mode.
    AmongAll {
        /// Whether the shares hold only while all hosts are idle.
        while_idle: bool,
    },
}

impl Formula {
    pub(super) const fn of(expr: Expr) -> Self {
        Self::Value { expr, when: None }
    }

    pub(super) const fn when(expr: Expr, condition: Condition) -> Self {
        Self::Value {
            expr,
            when: Some(condition),
        }
    }
}

impl Expr {
    pub(super) fn number(number: impl Into<u64>) -> Self {
        Self::Number(number.into())
    }

    pub(super) fn term(number: impl Into<u64>, term: Term) -> Self {
        Self::Term(number.into(), term)
    }

    pub(super) fn ratio(product: impl Into<Vec<Self>>, by: Self) -> Self {
        Self::Ratio(Box::new(Self::Product(product.into())), Box::new(by))
    }

    pub(super) fn floor(self) -> Self {
        Self::Floor(Box::new(self))
    }

    /// The sum with a further term, if that is not 0.
    pub(super) fn plus(self, number: u32, term: Term) -> Self {
        match number {
            0 => self,
            _ => Self::Sum([self, Self::term(number, term)].into()),
        }
    }
}
