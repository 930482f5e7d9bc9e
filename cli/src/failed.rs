//! `--failed`: hosts that refuse connections.

use spillgate_core::visible::quoted;
use std::{collections::BTreeSet, net::SocketAddr};

use spillgate_answers::{input::Faults, pick::SuccessFault};
use spillgate_config::{Diagnostic, nearest};
use spillgate_core::{
    model::{Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_sim::{Scene, Selector};

use crate::spec::faults;

/// The addresses of the hosts that these texts select: `IP:PORT` or a selector of `what-if`.
///
/// # Errors
/// A text that selects no host, with a suggestion.
pub(crate) fn failed_hosts(model: &Model, texts: &[String]) -> Result<BTreeSet<String>, Faults> {
    let (mut failed, mut wrong) = (BTreeSet::new(), Faults::default());
    for text in texts.iter().flat_map(|text| listed(text)) {
        match text.parse::<SocketAddr>() {
            Ok(address) => match known(model, &address.to_string()) {
                Ok(address) => {
                    failed.insert(address);
                }
                Err(fault) => wrong.push("--failed", &fault),
            },
            Err(_) => match selected(model, text) {
                Ok(hosts) => failed.extend(hosts),
                Err(found) => wrong.extend(found),
            },
        }
    }
    if wrong.is_empty() {
        Ok(failed)
    } else {
        Err(wrong)
    }
}

/// The addresses of a list, or the whole text: selectors have commas, too.
fn listed(text: &str) -> Vec<&str> {
    let all: Vec<&str> = text.split(',').collect();
    let is_list = all.iter().all(|one| one.parse::<SocketAddr>().is_ok());
    if is_list { all } else { vec![text] }
}

/// The address, if a cluster has it.
#[allow(clippy::result_large_err, reason = "called once for each option")]
fn known(model: &Model, address: &str) -> Result<String, Diagnostic> {
    let hosts = || {
        let priorities = model
            .clusters()
            .iter()
            .flat_map(|cluster| cluster.priorities());
        let hosts = priorities.flat_map(|priority| &priority.endpoints);
        hosts.map(|host| host.address.as_str())
    };
    if hosts().any(|host| host == address) {
        return Ok(address.to_owned());
    }
    let fault = Diagnostic::error("failed/unknown-host", "no cluster has this host");
    Err(fault
        .found(quoted(address))
        .suggest(nearest(address, hosts())))
}

/// The addresses of the hosts of all clusters that a selector matches.
fn selected(model: &Model, text: &str) -> Result<Vec<String>, Faults> {
    let selector = Selector::parse(text).map_err(|found| faults("--failed", text, &found))?;
    let snapshot = Snapshot::build(model);
    let (mut hosts, mut fault) = (Vec::new(), None);
    for cluster in model.clusters() {
        let Some(scene) = Scene::new(model, &cluster.name, Metadata::EMPTY) else {
            continue;
        };
        match scene.select(&selector) {
            Ok(found) => {
                let found = found.into_iter().filter_map(|host| snapshot.endpoint(host));
                hosts.extend(found.map(|endpoint| endpoint.address.clone()));
            }
            Err(found) => fault = fault.or(Some(found)),
        }
    }
    match (hosts.is_empty(), fault) {
        (true, Some(fault)) => Err(faults("--failed", text, &[fault])),
        _ => Ok(hosts),
    }
}

/// Why there is no probability of success, in words.
pub(crate) fn fault_text(fault: SuccessFault) -> String {
    match fault {
        SuccessFault::NotModeled(what) => format!("depends on {what}, which is not modeled"),
        SuccessFault::Unstated(why) => format!("not known: {why}"),
        SuccessFault::TooMany => "too many combinations of failed hosts".into(),
    }
}
