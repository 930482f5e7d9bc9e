//! Derivations as text: labels, values and formulas.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::{
    snapshot::{ClusterId, Snapshot},
    trace::PriorityRef,
    why::{Condition, Expr, Formula, Quantity, Subject, Symbol, Term},
};

use crate::{cluster_name, format::percent, host_address, priority_name};

/// The characters of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `floor(140 x 5 / 10)`, for terminals.
    Ascii,
    /// `⌊140 × 5 ÷ 10⌋`, with no-break spaces before units.
    Typeset,
}

/// Renders the nodes of a derivation.
#[derive(Debug, Clone, Copy)]
pub struct WhyText<'a> {
    /// The clusters.
    pub snapshot: &'a Snapshot,
    /// The cluster in question; priorities of other clusters carry the name of theirs.
    pub cluster: ClusterId,
    /// The characters of formulas.
    pub notation: Notation,
}

impl WhyText<'_> {
    /// The name of a figure: `load(P0)`, `panic threshold`.
    #[must_use]
    pub fn label(&self, subject: Subject) -> String {
        let of = |what: &str, at: PriorityRef| {
            format!("{what}({})", priority_name(self.snapshot, self.cluster, at))
        };
        match subject {
            Subject::MemberShare { member, .. } => {
                format!("share({})", cluster_name(self.snapshot, member))
            }
            Subject::HostShare(host) => format!("share({})", host_address(self.snapshot, host)),
            Subject::Sharing(_) => "hosts that share the load".into(),
            Subject::Load(at) | Subject::LinearizedLoad { priority: at, .. } => of("load", at),
            Subject::HealthyLoad(at) => of("healthy load", at),
            Subject::DegradedLoad(at) => of("degraded load", at),
            Subject::Availability(at) => of("availability", at),
            Subject::DegradedAvailability(at) => of("degraded availability", at),
            Subject::Panic { priority, by } if by == priority.cluster => of("panic mode", priority),
            Subject::Panic { priority, by } => {
                let panic = of("panic mode", priority);
                format!("{panic} in {}", cluster_name(self.snapshot, by))
            }
            Subject::Healthy(at) => of("healthy hosts", at),
            Subject::Degraded(at) => of("degraded hosts", at),
            Subject::Hosts(at) => of("hosts", at),
            Subject::TotalAvailability(_) => "total availability".into(),
            Subject::OverprovisioningFactor(_) => "overprovisioning factor".into(),
            Subject::PanicThreshold(_) => "panic threshold".into(),
            Subject::Weight(_) => "weight".into(),
            // A figure that is newer than this text.
            _ => "figure".into(),
        }
    }

    /// The value of a figure: `70 %`, `5 of 10`, `yes`.
    #[must_use]
    pub fn value(&self, value: Quantity) -> String {
        self.spaced(&match value {
            Quantity::Percent(share) => percent(share),
            Quantity::Number(number) => number.to_string(),
            Quantity::Of { part, whole } => format!("{part}\u{a0}of\u{a0}{whole}"),
            Quantity::Flag(true) => "yes".into(),
            Quantity::Flag(false) => "no".into(),
        })
    }

    /// The rule with its values; empty for settings and counts.
    #[must_use]
    pub fn formula(&self, formula: &Formula) -> String {
        self.spaced(&match formula {
            Formula::Given => String::new(),
            Formula::Value { expr, when } => self.conditional(&self.expr(expr), *when),
            Formula::Excluded => "excluded, earlier attempts used it".into(),
            Formula::HealthyLoad => "load of its healthy hosts".into(),
            Formula::HealthyAndDegradedLoad { healthy, degraded } => {
                format!("{healthy} + {degraded}: healthy hosts, then degraded hosts")
            }
            Formula::Panic {
                usable,
                counted,
                threshold,
            } => format!("{usable} of {counted} hosts usable, below {threshold}\u{a0}%?"),
            Formula::NoPanicAtFullAvailability => {
                "no panic mode while the total availability is 100\u{a0}%".into()
            }
            Formula::NoPanicAtThresholdZero => "a panic threshold of 0 disables panic mode".into(),
            // A rule that is newer than this text.
            _ => String::new(),
        })
    }

    fn conditional(&self, expr: &str, when: Option<Condition>) -> String {
        let idle = |while_idle| {
            if while_idle {
                " while all are idle"
            } else {
                ""
            }
        };
        match when {
            None => expr.into(),
            Some(Condition::ByWeight) => format!("{expr}, by weight"),
            Some(Condition::TotalPanic) => format!("every priority is in panic mode: {expr}"),
            Some(Condition::Frozen { priorities }) => format!(
                "kept from when the first {priorities} priorities were alone and in panic \
                 mode: {expr}"
            ),
            Some(Condition::AmongUsable { while_idle }) => {
                let idle = idle(while_idle);
                format!("{expr}, among the usable hosts of the priority{idle}")
            }
            Some(Condition::AmongAll { while_idle }) => {
                let idle = idle(while_idle);
                format!("{expr}, among all hosts of the priority (panic mode){idle}")
            }
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let all = |list: &[Expr], between: &str| {
            let list: Vec<String> = list.iter().map(|expr| self.expr(expr)).collect();
            list.join(between)
        };
        let typeset = self.notation == Notation::Typeset;
        match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Term(number, term) => match term {
                Term::Left => format!("{number} left"),
                Term::Available => format!("{number} available"),
                Term::Rounding => format!("{number} left by rounding"),
                Term::FirstPriority => {
                    format!("{number} (no host is usable: the first priority keeps the load)")
                }
                Term::Hosts => format!("{number} hosts"),
                Term::Weight => format!("weight {number}"),
            },
            Expr::Symbol(symbol) => match symbol {
                Symbol::Load => "load",
                Symbol::HostCount => "number of hosts",
                Symbol::SumOfWeights => "sum of weights",
                Symbol::RingArcs => "arcs on the hash ring",
                Symbol::MaglevSlots => "slots in the Maglev table",
            }
            .into(),
            Expr::Min(list) => format!("min({})", all(list, ", ")),
            Expr::Floor(expr) if typeset => format!("\u{230a}{}\u{230b}", self.expr(expr)),
            Expr::Floor(expr) => format!("floor({})", self.expr(expr)),
            Expr::Sum(list) => all(list, " + "),
            Expr::Product(list) => all(list, if typeset { " \u{d7} " } else { " x " }),
            Expr::Ratio(part, whole) => {
                let by = if typeset { "\u{f7}" } else { "/" };
                format!("{} {by} {}", self.expr(part), self.expr(whole))
            }
            // An expression that is newer than this text.
            _ => String::new(),
        }
    }

    fn spaced(&self, text: &str) -> String {
        match self.notation {
            Notation::Ascii => crate::format::plain(text),
            Notation::Typeset => text.into(),
        }
    }
}
