//! The answer of `diff` as data.

use spillgate_answers::input::Faults;
use spillgate_diff::{DiffReport, OneSided, SideSettings, UnmodeledDiff, diff, one_sided};
use spillgate_lint::Finding;
use spillgate_sim::ChangeExpectation;

use super::args::DiffArgs;
use crate::{cluster_names::matching_names, sides::Side, spec::faults};

/// What a change does.
pub(super) struct DiffAnswer<'s> {
    pub(super) old: &'s Side,
    pub(super) new: &'s Side,
    pub(super) report: DiffReport,
    /// Findings of lint that only the new side has, and those that only the old side has.
    pub(super) findings: OneSided<&'s Finding>,
    /// Settings that are not modeled.
    pub(super) limits: OneSided<String>,
    /// Fields that choose no host, and that differ.
    pub(super) not_compared: Vec<String>,
    /// Whether there are answers of other zones, which have these fields in common: they are named once.
    pub(super) is_one_of_several: bool,
    /// The number of clusters that differ and that `--cluster` leaves out.
    pub(super) not_chosen: usize,
    /// The number of limits that both sides have.
    pub(super) shared_limits: usize,
    pub(super) expectations: Vec<ExpectedChange>,
}

/// The result of an expectation.
#[derive(Debug)]
pub(super) struct ExpectedChange {
    pub(super) expr: String,
    pub(super) ok: bool,
    /// The worst value, and its cluster or route.
    pub(super) value: Option<f64>,
    pub(super) worst: Option<String>,
    /// Why the value is not known.
    pub(super) unknown: Option<String>,
}

impl<'s> DiffAnswer<'s> {
    /// Compares two sides.
    ///
    /// # Errors
    /// Every fault of the expectations, and patterns that match no cluster.
    pub(super) fn new(old: &'s Side, new: &'s Side, args: &DiffArgs) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let expectations: Vec<ChangeExpectation> = args
            .expect
            .iter()
            .filter_map(|text| {
                let read = ChangeExpectation::parse(text);
                read.map_err(|found| wrong.extend(faults("--expect", text, &found)))
                    .ok()
            })
            .collect();
        let chosen = chosen(old, new, &args.clusters);
        let chosen = chosen.map_err(|found| wrong.extend(found));
        let (true, Ok(chosen)) = (wrong.is_empty(), chosen) else {
            return Err(wrong);
        };
        let mut report = diff(&old.for_diff(), &new.for_diff());
        let (old_limits, new_limits) = (old.limits(), new.limits());
        let [before, after] = [(old, &old_limits), (new, &new_limits)].map(|(side, limits)| {
            let unread = &side.config.envoy.unread;
            SideSettings { limits, unread }
        });
        let unmodeled = UnmodeledDiff::new(before, after, &report);
        report.equal_listeners = unmodeled.equal_listeners(&report);
        let UnmodeledDiff {
            limits,
            shared_limits,
            not_compared,
        } = unmodeled;
        let all = report.clusters.len();
        if !args.clusters.is_empty() {
            // The old name of a renamed cluster chooses it, too.
            let is_chosen = |name: &String| chosen.contains(name);
            report.clusters.retain(|of| {
                is_chosen(&of.name) || of.renamed_from.as_ref().is_some_and(is_chosen)
            });
            report.equal_clusters.retain(|name| chosen.contains(name));
        }
        let not_chosen = all - report.clusters.len();
        if not_chosen > 0 {
            // Requests of their routes can reach clusters that differ.
            report.equal_listeners = 0;
        }
        let mut answer = Self {
            // The place of a finding can have moved.
            findings: one_sided(&old.findings, &new.findings, |of| (of.rule, &of.cause)),
            not_compared,
            is_one_of_several: false,
            not_chosen,
            shared_limits,
            limits,
            expectations: Vec::new(),
            report,
            old,
            new,
        };
        for expectation in &expectations {
            match answer.check(expectation) {
                Ok(checked) => answer.expectations.push(checked),
                Err(fault) => wrong.extend(faults("--expect", &expectation.text, &[fault])),
            }
        }
        if wrong.is_empty() {
            Ok(answer)
        } else {
            Err(wrong)
        }
    }

    /// Whether no request differs, whatever the health of the hosts.
    pub(super) fn is_proved_equal(&self) -> bool {
        self.has_equal_choices() && self.not_compared.is_empty()
    }

    /// Whether every request gets the same route and host, whatever the health of the hosts.
    pub(super) fn has_equal_choices(&self) -> bool {
        self.not_chosen == 0 && self.has_equal_chosen()
    }

    /// Whether every request to the chosen clusters gets the same host, and no route differs.
    pub(super) fn has_equal_chosen(&self) -> bool {
        self.report.is_equal() && self.limits.is_empty()
    }

    /// The fields that choose no host and differ, unless they are named elsewhere.
    pub(super) fn own_not_compared(&self) -> &[String] {
        if self.is_one_of_several {
            &[]
        } else {
            &self.not_compared
        }
    }
}

/// The clusters of both sides that the option names.
fn chosen(old: &Side, new: &Side, texts: &[String]) -> Result<Vec<String>, Faults> {
    let models = [&new.model, &old.model].into_iter();
    let clusters = models.flat_map(|model| model.clusters());
    let mut names: Vec<String> = clusters.map(|cluster| cluster.name.clone()).collect();
    names.sort();
    names.dedup();
    matching_names("diff/unknown-cluster", texts, &names)
        .map_err(|faults| Faults::all(&new.config, &faults))
}
