//! The question of `what-if`: the cluster, the hosts and the expectations, found in the model.

use spillgate_answers::{
    input::Faults,
    names::unknown_cluster,
    unknown::{HOSTS_UNKNOWN, UnknownClusters},
};
use spillgate_config::{Diagnostic, SourceMap};
use spillgate_core::{
    model::{Cluster, Metadata, Model},
    snapshot::HostRef,
};
use spillgate_sim::{Expectation, Loss, Scene, Selector, SpecFault, Zone};

use super::WhatIfArgs;
use crate::spec::{criteria, faults};

/// The arguments, resolved in the configuration.
#[derive(Debug)]
pub(crate) struct Question {
    /// The name of the cluster.
    pub(crate) name: String,
    /// Whether `--cluster` names it.
    pub(crate) chosen: bool,
    /// Other clusters with matching hosts.
    pub(crate) others: Vec<String>,
    /// The cluster with its snapshot.
    pub(crate) scene: Scene,
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
    pub(crate) fn new(
        file: &SourceMap,
        model: &Model,
        unknown: &UnknownClusters,
        args: &WhatIfArgs,
    ) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let losses = read(&mut wrong, "--lose", &args.lose, Loss::parse);
        let sweep = read(
            &mut wrong,
            "--sweep",
            args.sweep.as_slice(),
            Selector::parse,
        );
        let expectations = read(&mut wrong, "--expect", &args.expect, Expectation::parse);
        let criteria = criteria(model, args.criteria.as_deref())
            .map_err(|found| wrong.extend(found))
            .ok();
        if let Some(name) = args.cluster.as_ref().filter(|n| model.cluster(n).is_none()) {
            wrong.push(
                file,
                &unknown_cluster("what-if/unknown-cluster", name, model),
            );
        }
        let (Some(criteria), true) = (criteria, wrong.is_empty()) else {
            return Err(wrong);
        };
        let selected = losses.iter().map(|loss| &loss.selector).chain(&sweep);
        let selectors: Vec<&Selector> = selected.collect();
        let (scene, name, others) = choose(file, model, args, &criteria, &selectors, unknown)?;
        let lost = losses.iter().zip(&args.lose).flat_map(|(loss, text)| {
            let lost = scene.lost(std::slice::from_ref(loss));
            lost.unwrap_or_else(|found| {
                wrong.extend(faults("--lose", text, &found));
                Vec::new()
            })
        });
        let lost: Vec<HostRef> = lost.collect();
        let (selection, swept) = match (sweep.first(), &args.sweep) {
            (Some(selector), Some(text)) => (
                selector.to_string(),
                select(&mut wrong, &scene, "--sweep", text, selector),
            ),
            _ => {
                let texts: Vec<String> = losses.iter().map(|l| l.selector.to_string()).collect();
                // A selector without a host has been reported above.
                let hosts = losses.iter().flat_map(|loss| scene.select(&loss.selector));
                (texts.join(" or "), hosts.flatten().collect())
            }
        };
        let zones = scene.zones();
        if let Some(count) = args
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
                chosen: args.cluster.is_some(),
                name,
                others,
                zones,
                losses,
                lost,
                selection,
                swept,
                n_minus: args.n_minus,
                expectations,
                scene,
            })
        } else {
            Err(wrong)
        }
    }
}

/// Reads all values of an option and collects their errors.
fn read<T>(
    wrong: &mut Faults,
    option: &str,
    texts: &[String],
    parse: impl Fn(&str) -> Result<T, Vec<SpecFault>>,
) -> Vec<T> {
    let mut all = Vec::new();
    for text in texts {
        match parse(text) {
            Ok(one) => all.push(one),
            Err(found) => wrong.extend(faults(option, text, &found)),
        }
    }
    all
}

/// The hosts that a selector matches, or its error.
fn select(
    wrong: &mut Faults,
    scene: &Scene,
    option: &str,
    text: &str,
    selector: &Selector,
) -> Vec<HostRef> {
    scene.select(selector).unwrap_or_else(|fault| {
        wrong.extend(faults(option, text, &[fault]));
        Vec::new()
    })
}

/// The cluster of the question, and the other clusters that match.
fn choose(
    file: &SourceMap,
    model: &Model,
    args: &WhatIfArgs,
    criteria: &Metadata,
    selectors: &[&Selector],
    unknown: &UnknownClusters,
) -> Result<(Scene, String, Vec<String>), Faults> {
    let scene = |name: &str| {
        let scene = Scene::new(model, name, criteria.clone());
        scene.filter(|scene| !scene.hosts().is_empty())
    };
    let all_known = |name: &str| {
        let members = model.cluster(name).map_or(&[][..], Cluster::members);
        let mut clusters = members.iter().map(String::as_str).chain([name]);
        clusters
            .find(|name| unknown.contains(name))
            .map_or(Ok(()), |cluster| {
                let what =
                    format!("cluster {cluster}: {HOSTS_UNKNOWN}, so no effect can be computed");
                let fault = Diagnostic::error("what-if/hosts-unknown", what)
                    .expected("hosts in the input, --health FILE or --admin URL");
                Err(Faults::one(file, &fault))
            })
    };
    let no_host = |message: &str| {
        let fault = Diagnostic::error("what-if/no-hosts", message);
        Faults::one(file, &fault.expected("a cluster with endpoints"))
    };
    if let Some(name) = &args.cluster {
        all_known(name)?;
        let scene = scene(name).ok_or_else(|| no_host("--cluster: cluster has no hosts"))?;
        return Ok((scene, name.clone(), Vec::new()));
    }
    let mut candidates = roots(model).filter_map(|name| Some((scene(name)?, name)));
    let has_all = |(scene, _): &(Scene, &str)| {
        selectors
            .iter()
            .all(|selector| scene.select(selector).is_ok())
    };
    let all: Vec<(Scene, &str)> = candidates.by_ref().collect();
    let mut with_hosts: Vec<&(Scene, &str)> = all.iter().filter(|one| has_all(one)).collect();
    if with_hosts.is_empty() {
        // The first cluster reports the selector without a host.
        with_hosts.extend(all.first());
    }
    match with_hosts.split_first() {
        Some(((scene, name), others)) => {
            all_known(name)?;
            Ok((
                scene.clone(),
                (*name).into(),
                others.iter().map(|(_, name)| (*name).into()).collect(),
            ))
        }
        None => {
            // A cluster that may have hosts is no cluster without hosts.
            roots(model).try_for_each(all_known)?;
            Err(no_host("no cluster has hosts"))
        }
    }
}

/// The clusters that are no members of others, in configuration order.
fn roots(model: &Model) -> impl Iterator<Item = &str> {
    let is_member = |name: &str| {
        let mut clusters = model.clusters().iter();
        clusters.any(|cluster| cluster.members().iter().any(|member| member == name))
    };
    let names = model.clusters().iter().map(|cluster| cluster.name.as_str());
    names.filter(move |name| !is_member(name))
}
