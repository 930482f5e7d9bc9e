//! Documents of Istio that name a host of no service.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::istio::{SIDECARS, full_host};

use super::{assemble::known_hosts, place::ValuePlace, read::MeshDocuments};
use crate::{Diagnostic, node::quote, proto::nearest};

impl MeshDocuments {
    /// The DestinationRules that apply to no service, each with the number of its file. Without a service,
    /// nothing is known.
    #[must_use]
    pub fn unmatched_rules(&self) -> Vec<(usize, Diagnostic)> {
        let known = known_hosts(self);
        let mut found = Vec::new();
        for read in &self.istio.destination_rules {
            let rule = &read.rule;
            if known.is_empty() || known.iter().any(|host| rule.is_for(host)) {
                continue;
            }
            let what = "the DestinationRule applies to nothing: no service has its host";
            let host = full_host(&rule.host, &rule.namespace);
            let warning = unmatched("mesh/unmatched-rule", what.into(), &host, &known);
            found.push(at(read.value_place("host"), warning));
        }
        found
    }

    /// The VirtualServices for sidecars with a host of no service, each with the number of its file.
    pub(super) fn unmatched_routes(&self) -> Vec<(usize, Diagnostic)> {
        if self.istio.virtual_services.is_empty() {
            return Vec::new();
        }
        let known = known_hosts(self);
        let mut found = Vec::new();
        for read in &self.istio.virtual_services {
            let of = &read.service;
            let mut gateways = of.gateways.iter();
            if known.is_empty() || !(of.gateways.is_empty() || gateways.any(|of| of == SIDECARS)) {
                continue;
            }
            for (index, name) in of.hosts.iter().enumerate() {
                let host = full_host(name, &of.namespace);
                let is_known = match host.strip_prefix('*') {
                    Some(rest) => known.iter().any(|known| known.ends_with(rest)),
                    None => known.contains(&host),
                };
                if is_known {
                    continue;
                }
                let what = "the routes of the VirtualService to this host are left out: no service has it \
                            (Istio serves hosts outside of the mesh at port 80)";
                let warning = unmatched("mesh/unmatched-host", what.into(), &host, &known);
                found.push(at(read.value_place(&format!("hosts[{index}]")), warning));
            }
        }
        found
    }
}

fn unmatched(code: &'static str, what: String, host: &str, known: &BTreeSet<String>) -> Diagnostic {
    let near = nearest(host, known.iter().map(String::as_str));
    let warning = Diagnostic::warning(code, what).found(quote(host));
    warning.expected("the host of a service").suggest(near)
}

fn at(place: ValuePlace, warning: Diagnostic) -> (usize, Diagnostic) {
    (place.file, warning.at(place.path, place.position))
}
