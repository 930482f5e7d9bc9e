//! The figures of a run, by package.

use std::collections::BTreeMap;
use std::fmt;

use super::outcomes::Outcome;

/// The figures of a package.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct MutantCounts {
    /// All changes that cargo-mutants can make.
    pub all: usize,
    /// Those that do not compile.
    pub unviable: usize,
    /// Noticed by the crate's own tests, because one fails.
    pub caught: usize,
    /// Noticed by the crate's own tests, because they do not end.
    pub timeouts: usize,
    /// Noticed by the reference data only.
    pub vectors: usize,
    /// Listed survivors, by the kind of reason.
    pub known: BTreeMap<String, usize>,
    /// Survivors without a reason.
    pub missed: usize,
    /// Selected, but not tried.
    pub open: usize,
}

impl MutantCounts {
    /// Counts a change.
    pub fn add(&mut self, own: Option<Outcome>, vectors: Option<Outcome>, known: Option<&str>) {
        match (own, vectors, known) {
            (None, _, _) => self.open += 1,
            (Some(Outcome::Unviable), _, _) => self.unviable += 1,
            (Some(Outcome::Caught), _, _) => self.caught += 1,
            (Some(Outcome::Timeout), _, _) => self.timeouts += 1,
            (Some(Outcome::Missed), _, Some(reason)) => {
                *self.known.entry(reason.to_owned()).or_default() += 1;
            }
            (_, Some(Outcome::Caught | Outcome::Timeout), None) => self.vectors += 1,
            _ => self.missed += 1,
        }
    }

    /// The sum of several packages.
    pub fn and(mut self, other: &Self) -> Self {
        self.all += other.all;
        self.unviable += other.unviable;
        self.caught += other.caught;
        self.timeouts += other.timeouts;
        self.vectors += other.vectors;
        self.missed += other.missed;
        self.open += other.open;
        for (reason, count) in &other.known {
            *self.known.entry(reason.clone()).or_default() += count;
        }
        self
    }

    /// What a test can notice.
    fn judged(&self) -> usize {
        self.caught + self.timeouts + self.vectors + self.missed
    }
}

impl fmt::Display for MutantCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, judged) = (self.caught + self.timeouts, self.judged());
        let known: usize = self.known.values().sum();
        write!(
            f,
            "{} changes, {} tried: {} caught, {} timeouts, {} caught by vectors only, {} missed, {known} equivalent, {} unviable",
            self.all,
            judged + known + self.unviable,
            self.caught,
            self.timeouts,
            self.vectors,
            self.missed,
            self.unviable
        )?;
        if self.open > 0 {
            write!(f, ", {} not tried", self.open)?;
        }
        if judged > 0 {
            let with = own + self.vectors;
            write!(
                f,
                "; own tests notice {}, with vectors {}",
                Share(own, judged),
                Share(with, judged)
            )?;
        }
        Ok(())
    }
}

/// A part of a sample.
struct Share(usize, usize);

impl Share {
    /// Wilson's interval, in percent, in which the share of all changes is with a probability of 95 %.
    fn interval(&self) -> [f64; 2] {
        const Z: f64 = 1.959_964;
        let (part, all) = (self.0 as f64, self.1 as f64);
        let share = part / all;
        let center = share + Z * Z / (2.0 * all);
        let spread = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        let scale = 100.0 / (1.0 + Z * Z / all);
        [(center - spread) * scale, (center + spread) * scale]
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 as f64 / self.1 as f64 * 100.0;
        let [low, high] = self.interval();
        write!(
            f,
            "{} of {} ({percent:.1} %, 95 % interval {low:.1} to {high:.1})",
            self.0, self.1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_each_change_once() {
        use Outcome::{Caught, Missed, Timeout, Unviable};
        let mut counts = MutantCounts {
            all: 20,
            ..MutantCounts::default()
        };
        for (own, vectors, known) in [
            (Some(Caught), None, None),
            (Some(Caught), None, Some("same")),
            (Some(Timeout), None, None),
            (Some(Unviable), None, None),
            (Some(Missed), Some(Caught), None),
            (Some(Missed), Some(Missed), None),
            (Some(Missed), None, Some("same")),
            (None, None, None),
        ] {
            counts.add(own, vectors, known);
        }
        assert_eq!(
            counts.to_string(),
            "20 changes, 7 tried: 2 caught, 1 timeouts, 1 caught by vectors only, 1 missed, \
             1 equivalent, 1 unviable, 1 not tried; \
             own tests notice 3 of 5 (60.0 %, 95 % interval 23.1 to 88.2), \
             with vectors 4 of 5 (80.0 %, 95 % interval 37.6 to 96.4)"
        );
        let sum = counts.clone().and(&counts);
        assert_eq!((sum.all, sum.judged(), sum.open), (40, 10, 2));
        assert_eq!(sum.known.get("same"), Some(&2));
    }
}
