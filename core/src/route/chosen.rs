//! The choices of the dynamic module in a request.
//!
//! The module keeps them in Envoy's state of the request. A request that is routed here has
//! pseudo-headers instead, which no client can send.
//!
//! So a forged header has no more effect here than in Envoy. `pick` and `explain` run the filter's
//! request path, then route the changed request as Envoy would.

use super::Headers;
use crate::model::{Metadata, Value};

/// The pseudo-header with the chosen cluster (dynamic metadata `spillgate.cluster`).
pub const CHOSEN_CLUSTER: &str = ":spillgate-cluster";
/// The pseudo-header with the chosen hosts, separated by commas (dynamic metadata `spillgate.host`).
pub const CHOSEN_HOSTS: &str = ":spillgate-hosts";
/// The pseudo-header with a single chosen host (Envoy's override host).
pub const CHOSEN_HOST: &str = ":spillgate-host";

/// The namespace of the metadata with the choices of the filter.
pub const CHOICE_NAMESPACE: &str = "spillgate";
/// The key of the chosen hosts in that namespace.
pub const CHOSEN_HOSTS_KEY: &str = "host";

/// The metadata that the dynamic module sets in [`CHOICE_NAMESPACE`]; `None` if it sets nothing there.
pub(super) fn chosen_metadata<H: Headers>(headers: &H) -> Option<Metadata> {
    let hosts = headers.first(CHOSEN_HOSTS)?;
    let hosts = core::str::from_utf8(hosts).ok()?;
    let hosts = Value::Text(hosts.into());
    Some(Metadata::new([(CHOSEN_HOSTS_KEY, hosts)]))
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    #[test]
    fn only_the_pseudo_header_of_the_hosts_becomes_metadata() {
        let chosen = |name| chosen_metadata(&HeaderList(&[(name, "10.0.0.1:80,10.0.0.2:80")]));
        let hosts = Value::Text("10.0.0.1:80,10.0.0.2:80".into());
        let expected = Metadata::new([("host", hosts)]);
        assert_eq!(chosen(":spillgate-hosts"), Some(expected));
        for other in [CHOSEN_CLUSTER, CHOSEN_HOST, "spillgate-hosts"] {
            assert_eq!(chosen(other), None, "{other}");
        }
    }
}
