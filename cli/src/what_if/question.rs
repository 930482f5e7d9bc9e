//! The question about one cluster: its hosts, losses and expectations.

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, SourceMap};
use spillgate_core::{model::Model, snapshot::HostRef};
use spillgate_sim::{Expectation, Loss, Scene, Selector, Zone};

use super::{asked::Asked, changed::OwnChanges};
use crate::spec::faults;

/// A cluster, before and after its changes.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The name of the cluster.
    pub(crate) name: String,
    /// Whether the answer is about this cluster alone: `--cluster` names it, or it is one of several.
    pub(crate) chosen: bool,
    /// Its model, after the changes.
    pub(crate) model: Model,
    /// The cluster with its snapshot, after the changes.
    pub(crate) scene: Scene,
    /// The same before the changes; `None` without changes.
    pub(crate) before: Option<Unchanged>,
    pub(crate) changes: OwnChanges,
    /// What an expectation about hosts that the cluster does not have means.
    pub(crate) absent: AbsentHosts,
}

/// A cluster before the changes.
#[derive(Debug)]
pub(crate) struct Unchanged {
    pub(crate) model: Model,
    pub(crate) scene: Scene,
}

/// What an expectation about hosts or priorities that a cluster does not have means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AbsentHosts {
    /// It is an error.
    Reject,
    /// Another cluster has them; here their share is 0.
    GetNothing,
}

/// The arguments, resolved in a cluster.
#[derive(Debug)]
pub(crate) struct Question {
    /// The cluster.
    pub(crate) subject: Subject,
    /// The zones of the hosts, in configuration order.
    pub(crate) zones: Vec<Zone>,
    /// The values of `--lose`.
    pub(crate) losses: Vec<Loss>,
    /// The hosts that these values select.
    pub(crate) lost: Vec<HostRef>,
    /// The selector of the hosts that are removed one at a time, as written; may be empty.
    pub(crate) selection: String,
    /// These hosts.
    pub(crate) swept: Vec<HostRef>,
    /// The number of zones that are lost together (`--n-minus`), 1 or 2.
    pub(crate) n_minus: Option<u8>,
    pub(crate) expectations: Vec<Expectation>,
}

impl Question {
    /// Resolves the arguments.
    ///
    /// # Errors
    /// Selectors without hosts, losses of more hosts than are usable, and too few zones.
    pub(super) fn new(file: &SourceMap, asked: &Asked, subject: Subject) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let scene = &subject.scene;
        let mut lost = Vec::new();
        for loss in &asked.losses {
            match scene.lost(std::slice::from_ref(&loss.value)) {
                Ok(hosts) => lost.extend(hosts),
                Err(found) => wrong.extend(faults("--lose", &loss.text, &found)),
            }
        }
        let select = |selector: &Selector| scene.select(selector);
        let (selection, swept) = match &asked.sweep {
            Some(sweep) => {
                let swept = select(&sweep.value).unwrap_or_else(|fault| {
                    wrong.extend(faults("--sweep", &sweep.text, &[fault]));
                    Vec::new()
                });
                (sweep.value.to_string(), swept)
            }
            None => {
                let selectors = || asked.losses.iter().map(|loss| &loss.value.selector);
                let texts: Vec<String> = selectors().map(ToString::to_string).collect();
                // A selector without a host has been reported above.
                let hosts = selectors().flat_map(select);
                (texts.join(" or "), hosts.flatten().collect())
            }
        };
        let zones = scene.zones();
        if let Some(count) = asked
            .n_minus
            .filter(|count| zones.len() < usize::from(*count))
        {
            let fault = Diagnostic::error("what-if/no-zones", "--n-minus: too few zones");
            let found = format!("hosts in {} zones", zones.len());
            wrong.push(
                file,
                &fault.found(found).expected(format!("at least {count}")),
            );
        }
        if wrong.is_empty() {
            Ok(Self {
                zones,
                losses: asked.losses.iter().map(|loss| loss.value.clone()).collect(),
                lost,
                selection,
                swept,
                n_minus: asked.n_minus,
                expectations: asked.expectations.clone(),
                subject,
            })
        } else {
            Err(wrong)
        }
    }

    /// The name of the cluster.
    pub(crate) fn name(&self) -> &str {
        &self.subject.name
    }

    /// The cluster with its snapshot.
    pub(crate) const fn scene(&self) -> &Scene {
        &self.subject.scene
    }

    /// Whether hosts are lost or the configuration changes.
    pub(crate) fn has_effect(&self) -> bool {
        !self.lost.is_empty() || !self.subject.changes.is_empty()
    }
}
