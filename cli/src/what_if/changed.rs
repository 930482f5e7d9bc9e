//! The configuration after `--add` and `--set`.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, SourceMap};
use spillgate_core::model::Model;
use spillgate_sim::{Addition, LocalityPlace, Scene, Setting, SpecFault};

use super::{
    asked::{Asked, Given, Matched},
    parts::ModelParts,
};
use crate::{cluster_names::matching_clusters, spec::faults};

/// The changed model, and what changed in which cluster.
#[derive(Debug)]
pub(super) struct ChangedModel {
    pub(super) model: Model,
    additions: Vec<AddedHosts>,
    settings: Vec<AppliedSetting>,
}

/// Hosts that were added to a cluster.
#[derive(Debug)]
struct AddedHosts {
    text: String,
    cluster: String,
    addresses: Vec<String>,
}

/// A field that was set in a cluster.
#[derive(Debug)]
struct AppliedSetting {
    text: String,
    cluster: String,
}

/// The changes of one cluster in question and its members.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnChanges {
    /// The values of `--add`.
    pub(crate) additions: Vec<String>,
    /// The addresses of the added hosts.
    pub(crate) addresses: Vec<String>,
    /// The values of `--set`.
    pub(crate) settings: Vec<String>,
}

impl OwnChanges {
    pub(crate) const fn is_empty(&self) -> bool {
        self.additions.is_empty() && self.settings.is_empty()
    }
}

impl ChangedModel {
    /// Applies the changes to the clusters in question; `None` without changes.
    ///
    /// # Errors
    /// A change that no cluster in question can have.
    pub(super) fn new(
        files: &SourceMap,
        parts: &ModelParts<'_>,
        model: &Model,
        asked: &Asked,
        names: &[String],
    ) -> Result<Option<Self>, Faults> {
        if asked.additions.is_empty() && asked.settings.is_empty() {
            return Ok(None);
        }
        let mut changed = Self {
            model: model.clone(),
            additions: Vec::new(),
            settings: Vec::new(),
        };
        let mut wrong = Faults::default();
        for addition in &asked.additions {
            match addition_places(parts, model, asked, addition, names) {
                Ok(places) => changed.add(addition, &places),
                Err(found) => wrong.extend(found),
            }
        }
        for setting in &asked.settings {
            if let Err(found) = changed.set(files, parts, setting, names) {
                wrong.extend(found);
            }
        }
        if wrong.is_empty() {
            Ok(Some(changed))
        } else {
            Err(wrong)
        }
    }

    /// The changes of a cluster and its members.
    pub(super) fn of(&self, members: &[&str]) -> OwnChanges {
        let additions = || {
            let all = self.additions.iter();
            all.filter(|of| members.contains(&of.cluster.as_str()))
        };
        let settings = self.settings.iter();
        let settings = settings.filter(|of| members.contains(&of.cluster.as_str()));
        let mut own = OwnChanges {
            additions: additions().map(|of| of.text.clone()).collect(),
            addresses: additions().flat_map(|of| of.addresses.clone()).collect(),
            settings: settings.map(|of| of.text.clone()).collect(),
        };
        // A pattern can set a field of several members.
        own.additions.dedup();
        own.settings.dedup();
        own
    }

    fn add(&mut self, addition: &Given<Addition>, places: &BTreeSet<LocalityPlace>) {
        for place in places {
            self.additions.push(AddedHosts {
                text: addition.text.clone(),
                cluster: place.cluster.clone(),
                addresses: addition.value.apply(&mut self.model, place),
            });
        }
    }

    fn set(
        &mut self,
        files: &SourceMap,
        parts: &ModelParts<'_>,
        setting: &Given<Setting>,
        names: &[String],
    ) -> Result<(), Faults> {
        let clusters = setting_clusters(parts, &self.model, &setting.value, names)
            .map_err(|fault| Faults::one(files, &fault))?;
        let mut first: Option<SpecFault> = None;
        let mut is_set = false;
        for cluster in clusters {
            let Some(at) = parts.place(&cluster) else {
                continue;
            };
            match setting.value.apply(&mut self.model, at) {
                Ok(()) => {
                    is_set = true;
                    self.settings.push(AppliedSetting {
                        text: setting.text.clone(),
                        cluster,
                    });
                }
                Err(fault) => first = first.or(Some(fault)),
            }
        }
        match first {
            // A pattern sets the clusters that have the field.
            Some(fault) if !is_set => Err(faults("--set", &setting.text, &[fault])),
            _ => Ok(()),
        }
    }
}

/// The places where an addition adds hosts: at most one in each cluster in question.
fn addition_places(
    parts: &ModelParts<'_>,
    model: &Model,
    asked: &Asked,
    addition: &Given<Addition>,
    names: &[String],
) -> Result<BTreeSet<LocalityPlace>, Faults> {
    let mut places = BTreeSet::new();
    let mut matched = Matched::default();
    for name in names {
        let scene = Scene::new(&parts.part(model, name), name, asked.criteria.clone());
        let Some(scene) = scene.filter(|scene| !scene.hosts().is_empty()) else {
            continue;
        };
        match addition.value.place(&scene) {
            Ok(place) => {
                matched.note("--add", &addition.text, None);
                places.insert(place);
            }
            Err(fault) if fault.code == "what-if/several-places" => {
                return Err(faults("--add", &addition.text, &[fault]));
            }
            Err(fault) => matched.note("--add", &addition.text, Some(fault)),
        }
    }
    let wrong = matched.faults();
    if wrong.is_empty() {
        Ok(places)
    } else {
        Err(wrong)
    }
}

/// The clusters of a setting: those that it names, among the ones in question and their members.
#[allow(clippy::result_large_err, reason = "called once for each option")]
fn setting_clusters(
    parts: &ModelParts<'_>,
    model: &Model,
    setting: &Setting,
    names: &[String],
) -> Result<Vec<String>, Diagnostic> {
    let code = "what-if/unknown-cluster";
    let text = setting.cluster.clone();
    let mut clusters = matching_clusters(code, &[text], model).map_err(|faults| {
        let fault = faults.into_iter().next();
        let fault = fault.unwrap_or_else(|| Diagnostic::error(code, ""));
        Diagnostic {
            message: "--set: unknown cluster".into(),
            ..fault
        }
    })?;
    let in_question: BTreeSet<&str> = names.iter().flat_map(|name| parts.members(name)).collect();
    clusters.retain(|cluster| in_question.contains(cluster.as_str()));
    if clusters.is_empty() {
        let fault = Diagnostic::error(code, "--set: the answer is not about this cluster");
        let fault = fault.found(format!("{:?}", setting.cluster));
        return Err(fault.expected("a cluster of --cluster, or a member of it"));
    }
    Ok(clusters)
}
