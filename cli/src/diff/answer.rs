//! The answer of `diff` as data.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::proto::UnreadField;
use spillgate_core::visible::visible;
use spillgate_diff::{DiffReport, diff};
use spillgate_lint::Finding;
use spillgate_sim::ChangeExpectation;

use super::args::DiffArgs;
use crate::{
    cluster_names::matching_names,
    sides::{OneSided, Side, StatedLimit, one_sided},
    spec::faults,
};

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
        if !args.clusters.is_empty() {
            // The old name of a renamed cluster chooses it, too.
            let is_chosen = |name: &String| chosen.contains(name);
            report.clusters.retain(|of| {
                is_chosen(&of.name) || of.renamed_from.as_ref().is_some_and(is_chosen)
            });
            report.equal_clusters.retain(|name| chosen.contains(name));
        }
        let (old_limits, new_limits) = (old.limits(), new.limits());
        let limits = one_sided(&old_limits, &new_limits, |limit| limit);
        let gone_texts: BTreeSet<&str> = limits
            .gone
            .iter()
            .map(|limit| limit.text.as_str())
            .collect();
        let new_texts: BTreeSet<&str> =
            limits.new.iter().map(|limit| limit.text.as_str()).collect();
        let renamed = report.clusters.iter();
        let renamed =
            renamed.filter_map(|of| Some((of.renamed_from.as_deref()?, of.name.as_str())));
        let renamed: Vec<(&str, &str)> = renamed.collect();
        let differing = old.unread().differing(new.unread(), &renamed);
        let (choosing, others): (Vec<UnreadField>, Vec<UnreadField>) =
            differing.into_iter().partition(|of| of.can_choose);
        let choosing = choosing.iter().map(|field| {
            let name = visible(&field.to_string()).into_owned();
            if field.field == "listener_filters" {
                format!("{name} differ; connections can take other filter chains")
            } else {
                format!("{name} differs; requests can get other routes or hosts")
            }
        });
        let mut new_limits_stated = stated(&limits.new, &gone_texts);
        new_limits_stated.extend(choosing);
        let mut answer = Self {
            // The place of a finding can have moved.
            findings: one_sided(&old.findings, &new.findings, |of| (of.rule, &of.cause)),
            not_compared: others
                .iter()
                .map(|field| visible(&field.to_string()).into_owned())
                .collect(),
            is_one_of_several: false,
            shared_limits: new_limits.len() - limits.new.len(),
            limits: OneSided {
                new: new_limits_stated,
                gone: stated(&limits.gone, &new_texts),
            },
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
        self.report.is_equal() && self.limits.is_empty() && self.not_compared.is_empty()
    }

    /// Whether every request gets the same route and host, whatever the health of the hosts.
    pub(super) fn has_equal_choices(&self) -> bool {
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

/// The texts of settings that are not modeled, sorted. Those that the other side has, too, have another value there.
fn stated(limits: &[&StatedLimit], other: &BTreeSet<&str>) -> Vec<String> {
    let texts = limits.iter().map(|limit| {
        if other.contains(limit.text.as_str()) {
            format!("{} (another value)", limit.text)
        } else {
            limit.text.clone()
        }
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
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
