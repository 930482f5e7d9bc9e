//! Reads expectations.

use alloc::{vec, vec::Vec};

use spillgate_core::decimal;

use super::{Comparison, Expectation, Figure, Priorities, Rule};
use crate::{
    Selector, ZoneLoss,
    fault::{Piece, SpecFault},
    loss::What,
};

/// Longer signs first: some start with a shorter one.
pub(super) const COMPARISONS: [(&str, Comparison); 6] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("==", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// The expectations without a number.
const PLAIN: [(&str, Rule); 4] = [
    ("no panic", Rule::NoPanic),
    ("no 503", Rule::No503),
    ("survives n-1", Rule::Survives(ZoneLoss::Single)),
    ("survives n-2", Rule::Survives(ZoneLoss::Pairs)),
];

/// Examples of figures, for messages.
const FIGURES: [&str; 4] = ["load(P0)", "share(zone=a)", "overload", "panic_margin"];

impl Expectation {
    /// Reads `load(P0) >= 60`, `load(cluster=c2) < 10`, `share(zone=a) <= 50`, `overload <= 2.0`,
    /// `panic_margin >= 2`, `no panic`, `no 503`, `survives n-1` or `survives n-2`; the
    /// comparisons are `<`, `<=`, `=`, `>=` and `>`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        Ok(Self {
            text: text.trim().into(),
            rule: rule(Piece::whole(text).trimmed())?,
        })
    }
}

fn rule(text: Piece<'_>) -> Result<Rule, Vec<SpecFault>> {
    let words = || text.text.split_whitespace();
    if let Some((_, rule)) = PLAIN.iter().find(|(plain, _)| plain.split(' ').eq(words())) {
        return Ok(rule.clone());
    }
    let Some((figure, comparison, number)) = compared(text) else {
        let names = FIGURES.iter().copied().chain(PLAIN.map(|(plain, _)| plain));
        let message = "invalid expectation";
        let fault = SpecFault::new("what-if/expectation", text, message, "");
        let mut fault = fault.one_of(names);
        fault.expected = "load(P0) >= 60, share(zone=a) <= 50, overload <= 2.0, \
                          panic_margin >= 2, no panic, no 503 or survives n-1"
            .into();
        return Err(vec![fault]);
    };
    let value = self::number(number.trimmed());
    match (read_figure(figure.trimmed()), value) {
        (Ok(figure), Ok(number)) => Ok(Rule::Figure {
            figure,
            comparison,
            number,
        }),
        (figure, value) => {
            let mut faults = figure.err().unwrap_or_default();
            faults.extend(value.err());
            Err(faults)
        }
    }
}

/// The figure before a comparison, and the number after it; `None` without a comparison.
#[must_use]
pub fn compared(text: Piece<'_>) -> Option<(Piece<'_>, Comparison, Piece<'_>)> {
    // Selectors have equals signs too, inside the parentheses.
    let from = text.text.find(')').map_or(0, |at| at + 1);
    let at = from + text.text.get(from..)?.find(['<', '=', '>'])?;
    let rest = text.text.get(at..)?;
    let mut known = COMPARISONS.iter();
    let (sign, comparison) = known.find(|(sign, _)| rest.starts_with(sign))?;
    let (figure, number) = text.cut(at, sign)?;
    Some((figure, *comparison, number))
}

/// A finite number; a percent sign may follow.
///
/// # Errors
/// If it is no such number.
pub fn number(text: Piece<'_>) -> Result<f64, SpecFault> {
    let value = decimal::parse(text.text.trim_end_matches('%').trim_end());
    value.filter(|value| value.is_finite()).ok_or_else(|| {
        let message = "not a number";
        SpecFault::new("what-if/expectation", text, message, "a number")
    })
}

fn read_figure(text: Piece<'_>) -> Result<Figure, Vec<SpecFault>> {
    match text.text {
        "overload" => return Ok(Figure::Overload),
        "panic_margin" => return Ok(Figure::PanicMargin),
        _ => {}
    }
    let within = |name| text.after(name)?.trimmed().after("(")?.until_end(')');
    if let Some(within) = within("load") {
        return priorities(within.trimmed()).map(Figure::Load);
    }
    if let Some(within) = within("share") {
        return Selector::read(within).map(Figure::Share);
    }
    let message = "unknown figure";
    Err(vec![
        SpecFault::new("what-if/expectation", text, message, "").one_of(FIGURES),
    ])
}

fn priorities(text: Piece<'_>) -> Result<Priorities, Vec<SpecFault>> {
    let place = text.text.strip_prefix(['P', 'p']);
    if let Some(place) = place.and_then(|place| place.parse().ok()) {
        let before = text.before;
        return Ok(Priorities::Place { place, before });
    }
    let expected = "a priority such as P0, or cluster= and priority=";
    let fault = |at, message| SpecFault::new("what-if/expectation", at, message, expected);
    if !text.text.contains('=') {
        return Err(vec![fault(text, "invalid priority")]);
    }
    let selector = Selector::read(text)?;
    let of_hosts = |what: &What| !matches!(what, What::Cluster | What::Priority);
    if selector.terms.iter().any(|term| of_hosts(&term.what)) {
        let message = "load() takes priorities; use share() for hosts";
        return Err(vec![fault(text, message)]);
    }
    Ok(Priorities::Of(selector))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<(usize, &'static str)> {
        let faults = Expectation::parse(text).unwrap_err();
        faults.iter().map(|f| (f.column, f.message)).collect()
    }

    #[test]
    fn the_documented_forms_are_read() {
        for text in [
            "load(P0) >= 60",
            "load(cluster=c2) < 10",
            "load( cluster = c2 , priority=0 )<10",
            "share(zone=a) <= 50",
            "share(subset.stage=prod)>50%",
            "overload <= 2.0",
            "overload=1",
            "panic_margin >= 2",
            "no  panic",
            "no 503",
            "survives n-1",
            " survives n-2 ",
        ] {
            assert!(Expectation::parse(text).is_ok(), "{text}");
        }
        let with = |comparison| Rule::Figure {
            figure: Figure::Overload,
            comparison,
            number: 2.5,
        };
        for (sign, comparison) in COMPARISONS {
            let text = alloc::format!("overload {sign} 2.5");
            assert_eq!(Expectation::parse(&text).unwrap().rule, with(comparison));
        }
    }

    #[test]
    fn faults_have_columns() {
        assert_eq!(faults("no panik"), [(1, "invalid expectation")]);
        assert_eq!(faults("load(P0)"), [(1, "invalid expectation")]);
        assert_eq!(
            faults("laod(P0) >= x"),
            [(1, "unknown figure"), (13, "not a number")]
        );
        assert_eq!(faults("load(zero) > 1"), [(6, "invalid priority")]);
        assert_eq!(faults("share(zne=a) > 1"), [(7, "unknown selector key")]);
        assert_eq!(faults("load(zone=a) > 1").len(), 1);
    }
}
