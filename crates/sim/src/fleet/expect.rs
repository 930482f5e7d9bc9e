//! Expectations about a fleet: `utilization n-1 <= 100%`, `cost <= 5`, `no overload`.

use alloc::{string::String, vec, vec::Vec};

use crate::{
    expect::{Comparison, compared, number},
    fault::{Piece, SpecFault},
};

/// A condition on the loads of a fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetExpectation {
    /// The text.
    pub text: String,
    /// The cases that must meet it.
    pub scope: FleetScope,
    pub(super) figure: Figure,
    /// How it must compare; `None` for a figure that must be 0.
    pub(super) comparison: Option<(Comparison, f64)>,
}

/// The cases that an expectation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FleetScope {
    /// All zones are there.
    Present,
    /// After the loss of any single zone.
    Singles,
    /// After the loss of any two zones.
    Pairs,
}

/// A figure of a case.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Figure {
    /// The highest utilization of a host, of one zone or of all, in percent.
    Utilization(Option<NamedZone>),
    /// The requests per second of a zone.
    Load(NamedZone),
    /// The highest load of a host in relation to the mean.
    Imbalance,
    /// GB per hour between different zones.
    CrossZone,
    /// Cost per hour.
    Cost,
    /// The number of zones with a host that gets more than its capacity.
    Overload,
    /// The requests per second without a host.
    No503,
    /// The number of priorities in panic mode.
    NoPanic,
    /// The number of cases with a request without a host, panic mode, or an overload.
    Survives,
}

/// A zone as an expectation names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedZone {
    pub(super) name: String,
    /// The number of characters before it.
    pub(super) before: usize,
}

/// The forms without a number.
const PLAIN: [(&str, Figure, FleetScope); 11] = [
    ("no overload", Figure::Overload, FleetScope::Present),
    ("no overload n-1", Figure::Overload, FleetScope::Singles),
    ("no overload n-2", Figure::Overload, FleetScope::Pairs),
    ("no 503", Figure::No503, FleetScope::Present),
    ("no 503 n-1", Figure::No503, FleetScope::Singles),
    ("no 503 n-2", Figure::No503, FleetScope::Pairs),
    ("no panic", Figure::NoPanic, FleetScope::Present),
    ("no panic n-1", Figure::NoPanic, FleetScope::Singles),
    ("no panic n-2", Figure::NoPanic, FleetScope::Pairs),
    ("survives n-1", Figure::Survives, FleetScope::Singles),
    ("survives n-2", Figure::Survives, FleetScope::Pairs),
];

/// Examples of figures, for messages.
const FIGURES: [&str; 6] = [
    "utilization",
    "utilization(zone=a)",
    "load(zone=a)",
    "imbalance",
    "cross_zone",
    "cost",
];

impl FleetScope {
    /// The number of zones that are lost together.
    #[must_use]
    pub const fn lost(self) -> u8 {
        match self {
            Self::Present => 0,
            Self::Singles => 1,
            Self::Pairs => 2,
        }
    }
}

impl FleetExpectation {
    /// Reads `utilization <= 80%`, `utilization(zone=b) n-1 <= 100`, `load(zone=b) <= 5000`, `imbalance <= 1.5`,
    /// `cross_zone <= 100`, `cost <= 5`, `no overload n-1`, `no 503`, `no panic` or `survives n-1`. Behind a figure,
    /// `n-1` and `n-2` mean the loss of any one or two zones.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::fleet::{FleetExpectation, FleetScope};
    ///
    /// let read = FleetExpectation::parse("utilization n-1 <= 80%").unwrap();
    /// assert_eq!(read.scope, FleetScope::Singles);
    /// assert!(FleetExpectation::parse("utilisation <= 80%").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let words = || whole.text.split_whitespace();
        let mut plain = PLAIN.iter();
        if let Some((_, figure, scope)) = plain.find(|(plain, ..)| plain.split(' ').eq(words())) {
            return Ok(Self {
                text: whole.text.into(),
                scope: *scope,
                figure: figure.clone(),
                comparison: None,
            });
        }
        let Some((figure, comparison, value)) = compared(whole) else {
            let names = FIGURES
                .iter()
                .copied()
                .chain(PLAIN.iter().map(|(plain, ..)| *plain));
            let fault = SpecFault::new("fleet/expectation", whole, "invalid expectation", "");
            let mut fault = fault.one_of(names);
            fault.expected = "utilization n-1 <= 100%, load(zone=a) <= 5000, imbalance <= 1.5, \
                              cross_zone <= 100, cost <= 5, no overload n-1, no 503, no panic or survives n-1"
                .into();
            return Err(vec![fault]);
        };
        let (figure, scope) = scoped(figure.trimmed());
        let number = number(value.trimmed()).map_err(|fault| SpecFault {
            code: "fleet/expectation",
            ..fault
        });
        match (read_figure(figure), number) {
            (Ok(figure), Ok(number)) => Ok(Self {
                text: whole.text.into(),
                scope,
                figure,
                comparison: Some((comparison, number)),
            }),
            (figure, number) => Err(figure.err().into_iter().chain(number.err()).collect()),
        }
    }
}

/// The figure without `n-1` or `n-2` behind it.
fn scoped(figure: Piece<'_>) -> (Piece<'_>, FleetScope) {
    for (sign, scope) in [("n-1", FleetScope::Singles), ("n-2", FleetScope::Pairs)] {
        if let Some(rest) = figure.text.strip_suffix(sign) {
            let rest = Piece {
                text: rest,
                ..figure
            };
            return (rest.trimmed(), scope);
        }
    }
    (figure, FleetScope::Present)
}

fn read_figure(text: Piece<'_>) -> Result<Figure, SpecFault> {
    let of_zone = |name| -> Option<NamedZone> {
        let within = text.after(name)?.trimmed().after("(")?.until_end(')')?;
        let zone = within.trimmed().after("zone")?.trimmed().after("=")?;
        let Piece { text, before } = zone.trimmed();
        let name = text.into();
        Some(NamedZone { name, before })
    };
    Ok(match text.text {
        "utilization" => Figure::Utilization(None),
        "imbalance" => Figure::Imbalance,
        "cross_zone" => Figure::CrossZone,
        "cost" => Figure::Cost,
        _ => match (of_zone("utilization"), of_zone("load")) {
            (Some(zone), _) => Figure::Utilization(Some(zone)),
            (None, Some(zone)) => Figure::Load(zone),
            (None, None) => {
                let fault = SpecFault::new("fleet/expectation", text, "unknown figure", "");
                return Err(fault.one_of(FIGURES));
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        for (text, scope) in [
            ("utilization <= 80%", FleetScope::Present),
            ("utilization n-1<=100", FleetScope::Singles),
            ("utilization( zone = a ) n-2 < 1", FleetScope::Pairs),
            ("load(zone=eu/a) <= 5000", FleetScope::Present),
            ("imbalance <= 1.5", FleetScope::Present),
            ("cross_zone <= 10", FleetScope::Present),
            ("cost n-1 < 5", FleetScope::Singles),
            (" no  overload n-1", FleetScope::Singles),
            ("no 503 n-2", FleetScope::Pairs),
            ("no panic n-2", FleetScope::Pairs),
            ("survives n-2", FleetScope::Pairs),
        ] {
            assert_eq!(
                FleetExpectation::parse(text).unwrap().scope,
                scope,
                "{text}"
            );
        }
    }

    #[test]
    fn faults_have_columns() {
        let faults = |text| {
            let faults = FleetExpectation::parse(text).unwrap_err();
            assert!(faults.iter().all(|of| of.code == "fleet/expectation"));
            faults
                .iter()
                .map(|of| (of.column, of.message))
                .collect::<Vec<_>>()
        };
        assert_eq!(faults("no overlod"), [(1, "invalid expectation")]);
        assert_eq!(
            faults("utilisation n-1 <= x"),
            [(1, "unknown figure"), (20, "not a number")]
        );
    }
}
