//! Expectations on the difference of two configurations: `moved <= 10%`.

use alloc::{string::String, vec, vec::Vec};

use super::{Checked, Comparison, check::zero, parse};
use crate::{
    Selector,
    fault::{Piece, SpecFault},
};

/// A condition on what a change does to the traffic.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeExpectation {
    /// The text.
    pub text: String,
    /// The figure.
    pub figure: ChangeFigure,
    /// How it must compare; `None` for a figure that must be 0.
    comparison: Option<(Comparison, f64)>,
}

/// A figure of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangeFigure {
    /// The percentage of the keys of a cluster that move to another host; of a cluster without a hash policy,
    /// the percentage of its requests.
    Moved,
    /// The new share of the selected hosts minus their old share, without its sign, in percentage points.
    ShareChange(Selector),
    /// The number of priorities that panic mode begins in.
    NewPanic,
    /// The percentage of requests that no longer find a host.
    New503,
    /// The number of routes whose requests get another outcome.
    RouteChange,
}

/// The expectations without a number.
const PLAIN: [(&str, ChangeFigure); 3] = [
    ("no new panic", ChangeFigure::NewPanic),
    ("no new 503", ChangeFigure::New503),
    ("no route change", ChangeFigure::RouteChange),
];

const EXPECTED: &str =
    "moved <= 10%, share_change(zone=a) <= 5, no new panic, no new 503 or no route change";

impl ChangeExpectation {
    /// Reads `moved <= 10%`, `share_change(zone=a) <= 5`, `no new panic`, `no new 503` or `no route change`.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::{ChangeExpectation, ChangeFigure};
    ///
    /// let moved = ChangeExpectation::parse("moved <= 10%").unwrap();
    /// assert_eq!(moved.figure, ChangeFigure::Moved);
    /// assert!(moved.check(10.0).ok && !moved.check(10.5).ok);
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let read = |figure, comparison| Self {
            text: whole.text.into(),
            figure,
            comparison,
        };
        let words = || whole.text.split_whitespace();
        let mut plain = PLAIN.iter();
        if let Some((_, figure)) = plain.find(|(plain, _)| plain.split(' ').eq(words())) {
            return Ok(read(figure.clone(), None));
        }
        let Some((figure, comparison, number)) = parse::compared(whole) else {
            let names = PLAIN.iter().map(|(plain, _)| *plain);
            let fault = SpecFault::new("diff/expectation", whole, "invalid expectation", "");
            let mut fault = fault.one_of(names.chain(["moved", "share_change(zone=a)"]));
            fault.expected = EXPECTED.into();
            return Err(vec![fault]);
        };
        let number = parse::number(number.trimmed());
        match (read_figure(figure.trimmed()), number) {
            (Ok(figure), Ok(number)) => Ok(read(figure, Some((comparison, number)))),
            (figure, number) => {
                let mut faults = figure.err().unwrap_or_default();
                faults.extend(number.err());
                Err(faults)
            }
        }
    }

    /// The result for a value of the figure.
    #[must_use]
    pub fn check(&self, value: f64) -> Checked {
        match self.comparison {
            None => zero(value),
            Some((comparison, number)) => Checked {
                ok: comparison.holds(value, number),
                value: Some(value),
            },
        }
    }
}

fn read_figure(text: Piece<'_>) -> Result<ChangeFigure, Vec<SpecFault>> {
    if text.text == "moved" {
        return Ok(ChangeFigure::Moved);
    }
    let within = |name| text.after(name)?.trimmed().after("(")?.until_end(')');
    if let Some(within) = within("share_change") {
        return Selector::read(within).map(ChangeFigure::ShareChange);
    }
    let fault = SpecFault::new("diff/expectation", text, "unknown figure", "");
    Err(vec![fault.one_of(["moved", "share_change(zone=a)"])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        for text in [
            "moved <= 10%",
            "moved<10",
            "share_change(zone=a) <= 5",
            "share_change( host=10.0.0.1:80 ) < 5 %",
            " no  new panic ",
            "no new 503",
            "no route change",
        ] {
            assert!(ChangeExpectation::parse(text).is_ok(), "{text}");
        }
        let no_503 = ChangeExpectation::parse("no new 503").unwrap();
        assert!(no_503.check(0.0).ok && !no_503.check(0.1).ok);
        let change = ChangeExpectation::parse("share_change(zone=a) <= 5").unwrap();
        assert!(change.check(5.0).ok && !change.check(5.1).ok);
    }

    #[test]
    fn faults_have_columns() {
        let faults = |text| {
            let faults = ChangeExpectation::parse(text).unwrap_err();
            let places = faults.iter().map(|fault| (fault.column, fault.message));
            places.collect::<Vec<_>>()
        };
        assert_eq!(faults("no new panik"), [(1, "invalid expectation")]);
        assert_eq!(
            faults("moves <= x"),
            [(1, "unknown figure"), (10, "not a number")]
        );
        assert_eq!(
            faults("share_change(zne=a) < 1"),
            [(14, "unknown selector key")]
        );
    }
}
