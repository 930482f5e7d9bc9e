//! The configuration, what is asked about it, and the answer about each cluster.

use std::{
    cell::OnceCell,
    collections::{BTreeSet, HashMap},
};

use spillgate_answers::{
    grpc::GrpcReading, input::Faults, limits::Limits, unknown::HOSTS_UNKNOWN,
    unknown::UnknownClusters,
};
use spillgate_config::{
    Diagnostic,
    envoy::facts::{ConfigFacts, HealthSignals},
};
use spillgate_core::model::Model;
use spillgate_sim::Scene;

use super::{
    WhatIfArgs,
    asked::Asked,
    changed::{ChangedModel, OwnChanges},
    loss_report::Answer,
    parts::ModelParts,
    question::{AbsentHosts, Question, Subject, Unchanged},
    success::{self, RouteSuccess},
};
use crate::{client_args::Client, config::Config, failed::failed_hosts};

/// The configuration and the options.
pub(super) struct Inquiry<'c> {
    pub(super) config: &'c Config,
    pub(super) args: &'c WhatIfArgs,
    pub(super) asked: Asked,
    /// The clusters in question, in configuration order.
    pub(super) names: Vec<String>,
    pub(super) unknown: UnknownClusters,
    /// The model before the changes.
    model: &'c Model,
    parts: ModelParts<'c>,
    changed: Option<ChangedModel>,
    limits: Limits,
    /// What finds out the health of each cluster's hosts: read when an answer shows it.
    signals: OnceCell<HashMap<String, HealthSignals>>,
    /// The hosts of `--failed`.
    failed: BTreeSet<String>,
    /// What a gRPC client reads, if the answer is about one.
    pub(super) reading: Option<GrpcReading>,
    /// All clusters before and after the changes, for answers that need them.
    whole: [OnceCell<Option<Scene>>; 2],
}

impl<'c> Inquiry<'c> {
    /// Reads the options.
    ///
    /// # Errors
    /// Every error in them.
    pub(super) fn new(
        config: &'c Config,
        model: &'c Model,
        args: &'c WhatIfArgs,
        asked: Asked,
        names: Vec<String>,
    ) -> Result<Self, Faults> {
        let parts = ModelParts::new(model);
        let changed = ChangedModel::new(config.files(), &parts, model, &asked, &names)?;
        let (unknown, reading) = match args.client {
            Client::Envoy => (config.unknown_clusters(model), None),
            Client::Grpc | Client::Both => (
                UnknownClusters::of(&config.envoy),
                Some(config.grpc_reading()?),
            ),
        };
        Ok(Self {
            failed: failed_hosts(model, &args.failed)?,
            limits: config.limits(),
            signals: OnceCell::new(),
            whole: [OnceCell::new(), OnceCell::new()],
            config,
            args,
            asked,
            names,
            unknown,
            model,
            parts,
            changed,
            reading,
        })
    }

    /// The names of a cluster and of all its members.
    pub(super) fn members(&self, name: &str) -> Vec<&'c str> {
        self.parts.members(name)
    }

    /// The cluster, or the member, whose hosts are not known.
    pub(super) fn unknown_hosts(&self, name: &str) -> Option<&'c str> {
        let cluster = self.parts.cluster(name)?;
        let members = cluster.members().iter().map(String::as_str);
        let mut clusters = members.chain([cluster.name.as_str()]);
        clusters.find(|name| self.unknown.contains(name))
    }

    /// A cluster with its changes; `None` if it has no hosts.
    pub(super) fn subject(&self, name: &str, scope: Scope) -> Option<Subject> {
        let [whole_before, whole_after] = &self.whole;
        let of = |model: &Model, whole: &OnceCell<Option<Scene>>| {
            let criteria = || self.asked.criteria.clone();
            let (model, scene) = match scope {
                Scope::Part => {
                    let part = self.parts.part(model, name);
                    let scene = Scene::new(&part, name, criteria());
                    (part, scene)
                }
                Scope::Whole => {
                    let whole = whole.get_or_init(|| Scene::new(model, name, criteria()));
                    let scene = whole.as_ref().and_then(|whole| whole.of_cluster(name));
                    (model.clone(), scene)
                }
            };
            let scene = scene.filter(|scene| !scene.hosts().is_empty())?;
            Some(Unchanged { model, scene })
        };
        let now = of(self.model, whole_before)?;
        let (now, before, changes) = match &self.changed {
            None => (now, None, OwnChanges::default()),
            Some(changed) => {
                let changes = changed.of(&self.members(name));
                if changes.is_empty() {
                    (now, None, changes)
                } else {
                    (of(&changed.model, whole_after)?, Some(now), changes)
                }
            }
        };
        Some(Subject {
            name: name.into(),
            chosen: true,
            model: now.model,
            scene: now.scene,
            before,
            changes,
            absent: AbsentHosts::Reject,
        })
    }

    /// The part of the model that the answer needs: other clusters matter for routes and gRPC.
    pub(super) const fn scope(&self) -> Scope {
        match self.args.client {
            Client::Envoy if self.args.failed.is_empty() => Scope::Part,
            _ => Scope::Whole,
        }
    }

    /// The question about the only cluster. `chosen` says whether `--cluster` names it: otherwise the
    /// splits have all clusters.
    ///
    /// # Errors
    /// If its hosts are not known, or the arguments do not fit it.
    pub(super) fn only_question(&self, name: &str, chosen: bool) -> Result<Question, Faults> {
        let files = self.config.files();
        if let Some(cluster) = self.unknown_hosts(name) {
            return Err(Faults::one(files, &hosts_unknown(UNKNOWN_HOSTS, cluster)));
        }
        let scope = if chosen { self.scope() } else { Scope::Whole };
        let message = if chosen {
            "--cluster: cluster has no hosts"
        } else {
            NO_HOSTS
        };
        let subject = self.subject(name, scope);
        let subject = subject.ok_or_else(|| Faults::one(files, &no_hosts(message)))?;
        Question::new(files, &self.asked, Subject { chosen, ..subject })
    }

    /// The answer under Envoy's rules.
    ///
    /// # Errors
    /// Expectations that do not fit the cluster.
    pub(super) fn answer(&self, question: &Question, figures: Figures) -> Result<Answer, Faults> {
        let all = |signals| Answer::new(question, &self.limits, &self.unknown, signals);
        match figures {
            Figures::All => {
                let signals = self.signals.get_or_init(|| health_signals(self.config));
                Ok(all(signals.get(question.name()))?.with_keys(question))
            }
            Figures::OfTable => all(None),
        }
    }

    /// The odds of success for the routes to the cluster, if `--failed` asks for them.
    pub(super) fn success(&self, question: &Question) -> Vec<RouteSuccess> {
        success::by_route(self.config, question, &self.unknown, &self.failed)
    }
}

/// Which figures an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figures {
    /// All of them.
    All,
    /// Those of a table: without the keys that move, which take long, and without outlier detection.
    OfTable,
}

/// The part of the model of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The cluster with its members.
    Part,
    /// All clusters.
    Whole,
}

/// The message if no cluster has hosts.
pub(super) const NO_HOSTS: &str = "no cluster has hosts";

/// The error of a cluster without hosts.
pub(super) fn no_hosts(message: &str) -> Diagnostic {
    Diagnostic::error("what-if/no-hosts", message).expected("a cluster with endpoints")
}

/// The code of that error of `what-if`.
pub(super) const UNKNOWN_HOSTS: &str = "what-if/hosts-unknown";

/// The error of a cluster whose hosts are not known, with the code of the command.
pub(crate) fn hosts_unknown(code: &'static str, cluster: &str) -> Diagnostic {
    let what = format!("cluster {cluster}: {HOSTS_UNKNOWN}, so no effect can be computed");
    Diagnostic::error(code, what).expected("hosts in the input, --health FILE or --admin URL")
}

/// What finds out the health of each cluster's hosts.
fn health_signals(config: &Config) -> HashMap<String, HealthSignals> {
    let read = config.facts();
    let facts: &ConfigFacts = read.as_ref().unwrap_or(&config.envoy.facts);
    let clusters = facts.clusters.iter();
    clusters
        .map(|cluster| (cluster.name.clone(), cluster.signals.clone()))
        .collect()
}
