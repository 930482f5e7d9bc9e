//! The hosts that a selector matches.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::{
    model::{Endpoint, Locality},
    snapshot::{HostRef, Snapshot},
};

use super::{Selector, Term, What};
use crate::fault::{Piece, SpecFault};

/// The properties of a host that selectors compare.
struct Host<'a> {
    cluster: &'a str,
    /// The cluster in question: the same, or an aggregate.
    evaluated: &'a str,
    priority: usize,
    locality: Option<&'a Locality>,
    endpoint: &'a Endpoint,
}

/// The hosts that a selector matches, in the same order. `cluster=` also matches the name of the
/// `evaluated` cluster, whose members have the hosts; empty for several clusters.
///
/// # Errors
/// If the selector matches no host: the first term that no host matches, otherwise the whole
/// selector.
pub(crate) fn matching(
    snapshot: &Snapshot,
    hosts: &[HostRef],
    evaluated: &str,
    selector: &Selector,
) -> Result<Vec<HostRef>, SpecFault> {
    let known = || {
        let hosts = hosts.iter();
        hosts.filter_map(|&at| Some((at, Host::of(snapshot, at, evaluated)?)))
    };
    let found: Vec<HostRef> = known()
        .filter(|(_, host)| selector.terms.iter().all(|term| host.matches(term)))
        .map(|(at, _)| at)
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut terms = selector.terms.iter();
    let unknown = terms.find(|term| !known().any(|(_, host)| host.matches(term)));
    Err(match unknown {
        Some(term) => {
            let at = Piece {
                text: &term.value,
                before: term.before,
            };
            let expected = alloc::format!("a {} of a host", term.key());
            let values: Vec<String> = known().filter_map(|(_, host)| host.value(term)).collect();
            SpecFault::new("what-if/no-host", at, "no matching host", expected)
                .one_of(values.iter().map(String::as_str).filter(|v| !v.is_empty()))
        }
        None => {
            let text = selector.to_string();
            SpecFault::new(
                "what-if/no-host",
                Piece::whole(&text),
                "no matching host",
                "terms that match the same host",
            )
        }
    })
}

impl<'a> Host<'a> {
    fn of(snapshot: &'a Snapshot, at: HostRef, evaluated: &'a str) -> Option<Self> {
        let priority = snapshot.plain(at.cluster)?.priorities.get(at.priority)?;
        let endpoint = priority.endpoint(at.host)?;
        let locality = priority.configured.localities.get(endpoint.locality);
        Some(Self {
            cluster: &snapshot.cluster(at.cluster)?.name,
            evaluated,
            priority: at.priority,
            locality: locality.map(|of_priority| &of_priority.locality),
            endpoint,
        })
    }

    fn matches(&self, term: &Term) -> bool {
        let wanted = term.value.as_str();
        match &term.what {
            What::Priority => wanted.parse() == Ok(self.priority),
            What::Cluster if wanted == self.evaluated => true,
            // Empty parts at the end may be omitted.
            What::Locality => {
                let own = self.value(term).unwrap_or_default();
                own == wanted.trim_end_matches('/')
            }
            // As zones of a mesh are printed: `region/zone`.
            What::Zone if wanted.contains('/') => self.locality.is_some_and(|of| {
                let (region, zone) = wanted.split_once('/').unwrap_or_default();
                of.region == region && of.zone == zone
            }),
            _ => self.value(term).is_some_and(|value| value == wanted),
        }
    }

    /// The value of the host for a term.
    fn value(&self, term: &Term) -> Option<String> {
        let part = |part: fn(&Locality) -> &String| Some(part(self.locality?).clone());
        match &term.what {
            What::Zone => part(|locality| &locality.zone),
            What::Region => part(|locality| &locality.region),
            What::SubZone => part(|locality| &locality.sub_zone),
            What::Locality => Some(self.locality?.to_string()),
            What::Priority => Some(self.priority.to_string()),
            What::Cluster => Some(self.cluster.into()),
            What::Host => Some(self.endpoint.address.clone()),
            What::Subset(key) => self
                .endpoint
                .metadata
                .get(key)
                .map(|value| value.to_string()),
        }
    }
}
