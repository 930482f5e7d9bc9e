//! Settings that no decision shows: those that are not modeled, and those that no reader reads.

use std::collections::BTreeSet;

use spillgate_config::{
    Diagnostic, SourceMap,
    envoy::SourceText,
    proto::{UnreadField, UnreadValues},
};
use spillgate_core::visible::visible;

use crate::{ClusterDiff, ClusterVerdict, DiffReport, OneSided, limit_values, one_sided};

/// A setting that is not modeled.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatedLimit {
    /// What it can change.
    pub text: String,
    /// The hash of its value; `None` if it has no place in a text.
    pub value: Option<u64>,
}

impl StatedLimit {
    /// The limits among findings, with their values in the texts that `map` places.
    #[must_use]
    pub fn of(map: &SourceMap, texts: &[SourceText<'_>], findings: &[Diagnostic]) -> Vec<Self> {
        let limits = findings.iter().filter(|found| found.is_limit());
        let limits: Vec<&Diagnostic> = limits.collect();
        let values = limit_values::values(map, texts, &limits);
        let limits = limits.into_iter().zip(values);
        limits
            .map(|(limit, value)| Self::new(limit, value))
            .collect()
    }

    /// A limit whose value has no place in a text.
    #[must_use]
    pub fn without_value(limit: &Diagnostic) -> Self {
        Self::new(limit, None)
    }

    fn new(limit: &Diagnostic, value: Option<u64>) -> Self {
        Self {
            text: match &limit.found {
                Some(found) => format!("{}; found {found}", limit.message),
                None => limit.message.clone(),
            },
            value,
        }
    }
}

/// The settings of one side that no decision shows.
#[derive(Debug, Clone, Copy)]
pub struct SideSettings<'s> {
    /// Those that are not modeled.
    pub limits: &'s [StatedLimit],
    /// The values of those that no reader reads.
    pub unread: &'s UnreadValues,
}

/// The settings that no decision shows and that differ.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UnmodeledDiff {
    /// Those that can change which route or host requests get.
    pub limits: OneSided<String>,
    /// The number of such settings that both sides have.
    pub shared_limits: usize,
    /// Those that choose no host.
    pub not_compared: Vec<String>,
}

impl UnmodeledDiff {
    /// Compares the settings of two sides; the report says which clusters have other names.
    #[must_use]
    pub fn new(old: SideSettings<'_>, new: SideSettings<'_>, report: &DiffReport) -> Self {
        let limits = one_sided(old.limits, new.limits, |limit| limit);
        let texts = |limits: &[&'_ StatedLimit]| -> BTreeSet<String> {
            limits.iter().map(|limit| limit.text.clone()).collect()
        };
        let (gone_texts, new_texts) = (texts(&limits.gone), texts(&limits.new));
        let renamed = report.clusters.iter();
        let renamed =
            renamed.filter_map(|of| Some((of.renamed_from.as_deref()?, of.name.as_str())));
        let renamed: Vec<(&str, &str)> = renamed.collect();
        let is_one_sided = |of: &&ClusterDiff| {
            matches!(of.status, ClusterVerdict::Added | ClusterVerdict::Removed)
        };
        let one_sided = report.clusters.iter().filter(is_one_sided);
        let one_sided: Vec<&str> = one_sided.map(|of| of.name.as_str()).collect();
        let differing = old.unread.differing(new.unread, &renamed, &one_sided);
        let (choosing, others): (Vec<UnreadField>, Vec<UnreadField>) =
            differing.into_iter().partition(|of| of.can_choose);
        let mut stated_new = stated(&limits.new, &gone_texts);
        stated_new.extend(choosing.iter().map(choosing_text));
        Self {
            shared_limits: new.limits.len() - limits.new.len(),
            limits: OneSided {
                new: stated_new,
                gone: stated(&limits.gone, &new_texts),
            },
            not_compared: others.iter().map(name).collect(),
        }
    }
}

impl UnmodeledDiff {
    /// The number of listeners whose routes are proved to be equal, or 0 if a setting that can change routes differs.
    #[must_use]
    pub const fn equal_listeners(&self, report: &DiffReport) -> usize {
        if self.limits.is_empty() {
            report.equal_listeners
        } else {
            0
        }
    }
}

fn name(field: &UnreadField) -> String {
    visible(&field.to_string()).into_owned()
}

fn choosing_text(field: &UnreadField) -> String {
    let name = name(field);
    match field.field.as_ref() {
        "listener_filters" => format!("{name} differ; connections can take other filter chains"),
        "upgrade_configs" => format!("{name} differ; requests with an upgrade can be refused"),
        _ => format!("{name} differs; requests can get other routes or hosts"),
    }
}

/// The texts of settings that are not modeled, sorted. Those that the other side has, too, have another value there.
fn stated(limits: &[&StatedLimit], other: &BTreeSet<String>) -> Vec<String> {
    let texts = limits.iter().map(|limit| {
        if other.contains(&limit.text) {
            format!("{} (another value)", limit.text)
        } else {
            limit.text.clone()
        }
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}
