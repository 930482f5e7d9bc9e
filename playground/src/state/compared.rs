//! The old side of the comparison, and what a comparison must know beyond both scenarios.

use std::{collections::BTreeSet, rc::Rc};

use spillgate_scenario::{
    EditedScenario,
    link::{self, ComparisonGaps},
    unknown_clusters,
};

/// The scenario that the current one is compared with.
#[derive(Debug, Clone)]
pub struct ComparedSide {
    /// The scenario.
    pub scenario: Rc<EditedScenario>,
    /// Where it is from.
    pub source: SideSource,
    /// What its link said about both sides; `None` for a scenario of this page.
    pub known: Option<Rc<ComparisonDoubts>>,
}

/// Where the old side is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideSource {
    /// The current scenario as it was opened: the difference is the user's edits.
    Opened,
    /// A scenario that the user kept, or that of a link.
    Kept,
    /// The same of an import, which links disclose only as far as the user wants.
    KeptImport,
}

/// Sides are equal if they are the same ones: comparing all hosts would take longer than drawing them.
impl PartialEq for ComparedSide {
    fn eq(&self, other: &Self) -> bool {
        let known = (&self.known, &other.known);
        Rc::ptr_eq(&self.scenario, &other.scenario)
            && self.source == other.source
            && known.0 == known.1
    }
}

/// Why equal scenarios do not prove that their configurations are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparisonDoubts {
    /// The settings that the link dropped on a side.
    pub dropped: Vec<String>,
    /// The clusters of the old side whose hosts are not known.
    pub unknown_old: BTreeSet<String>,
    /// The same of the new side.
    pub unknown_new: BTreeSet<String>,
    /// The number of settings that are not modeled and can differ.
    pub open_limits: usize,
    /// The number of clusters of both configurations that the scenarios do not have.
    pub missing_clusters: usize,
    /// Whether hosts have generated addresses and no hash keys, so that other keys move.
    pub generated_addresses: bool,
}

impl ComparedSide {
    /// The scenario as it was opened.
    #[must_use]
    pub const fn opened(scenario: Rc<EditedScenario>) -> Self {
        Self {
            scenario,
            source: SideSource::Opened,
            known: None,
        }
    }

    /// A scenario that the user keeps.
    #[must_use]
    pub fn kept(scenario: Rc<EditedScenario>) -> Self {
        let source = if scenario.origin.is_some() {
            SideSource::KeptImport
        } else {
            SideSource::Kept
        };
        Self {
            scenario,
            source,
            known: None,
        }
    }

    /// The sides exchanged: `new` is the old one.
    #[must_use]
    pub fn swapped(&self, new: Rc<EditedScenario>) -> Self {
        let known = self.known.as_deref().cloned().map(|known| {
            Rc::new(ComparisonDoubts {
                unknown_old: known.unknown_new,
                unknown_new: known.unknown_old,
                ..known
            })
        });
        Self {
            known,
            ..Self::kept(new)
        }
    }

    /// The side of a link or of a reload, which compares with `new`.
    #[must_use]
    pub fn linked(scenario: EditedScenario, gaps: &ComparisonGaps, new: &EditedScenario) -> Self {
        let names = |places: &[usize], of: &EditedScenario| {
            let names = places.iter().map(|at| of.name(*at).to_owned());
            names.collect()
        };
        let known = ComparisonDoubts {
            dropped: gaps.dropped.clone(),
            unknown_old: names(&gaps.unknown_old, &scenario),
            unknown_new: names(&gaps.unknown_new, new),
            open_limits: gaps.open_limits,
            missing_clusters: gaps.missing_clusters,
            generated_addresses: gaps.generated_addresses,
        };
        Self {
            scenario: Rc::new(scenario),
            source: SideSource::Kept,
            known: Some(Rc::new(known)),
        }
    }

    /// The same side against another new one, which is not that of the link.
    #[must_use]
    pub fn against(mut self, new: &EditedScenario) -> Self {
        let known = self.known.as_deref().cloned();
        self.known = known.map(|mut known| {
            known.unknown_new = BTreeSet::new();
            // The settings of the old side are not known by name, so none of the new side counts as shared.
            known.open_limits += limits(new).len();
            known.missing_clusters += missing(new);
            Rc::new(known)
        });
        self
    }

    /// The doubts of the comparison with a new side.
    #[must_use]
    pub fn doubts(&self, new: &EditedScenario) -> ComparisonDoubts {
        let mut doubts = self.known.as_deref().cloned().unwrap_or_default();
        doubts.unknown_old.extend(unknown_clusters(&self.scenario));
        doubts.unknown_new.extend(unknown_clusters(new));
        if self.known.is_none() {
            doubts.open_limits = open_limits(&self.scenario, new);
            doubts.missing_clusters = missing(&self.scenario) + missing(new);
        }
        doubts
    }

    /// The doubts as a link has them, without the settings that it drops itself.
    #[must_use]
    pub fn gaps(&self, new: &EditedScenario) -> ComparisonGaps {
        let doubts = self.doubts(new);
        let places = |names: &BTreeSet<String>, of: &EditedScenario| {
            let clusters = of.clusters().iter().enumerate();
            let named = clusters.filter(|(_, cluster)| names.contains(&cluster.name));
            named.map(|(at, _)| at).collect()
        };
        ComparisonGaps {
            unknown_old: places(&doubts.unknown_old, &self.scenario),
            unknown_new: places(&doubts.unknown_new, new),
            dropped: doubts.dropped,
            open_limits: doubts.open_limits,
            missing_clusters: doubts.missing_clusters,
            generated_addresses: doubts.generated_addresses,
        }
    }

    /// The settings of either side that a link drops.
    #[must_use]
    pub fn left_out(&self, new: &EditedScenario) -> Vec<&'static str> {
        let mut names = link::left_out(new);
        for name in link::left_out(&self.scenario) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The settings of an import that are not modeled.
fn limits(scenario: &EditedScenario) -> Vec<&str> {
    let limits = scenario.origin.iter().flat_map(|origin| &origin.limits);
    limits.map(|limit| limit.effect.as_str()).collect()
}

/// The number of clusters of an import for which the scenario has no room.
fn missing(scenario: &EditedScenario) -> usize {
    let all = scenario.origin.as_ref().map(|origin| origin.clusters.len());
    all.unwrap_or(0).saturating_sub(scenario.clusters().len())
}

/// The settings that are not modeled and can differ: all of them, unless both sides have one text. Of a setting, only its
/// effect is known, not its value.
fn open_limits(old: &EditedScenario, new: &EditedScenario) -> usize {
    let [before, after] = [old, new].map(|side| side.origin.as_ref().map(|origin| &origin.texts));
    if before == after {
        return 0;
    }
    let (old, mut new) = (limits(old), limits(new));
    for one in &old {
        if let Some(shared) = new.iter().position(|other| other == one) {
            new.swap_remove(shared);
        }
    }
    old.len() + new.len()
}
