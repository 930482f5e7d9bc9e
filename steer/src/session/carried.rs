//! Finding the session token in request headers.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::{Accepted, Carrier};
use spillgate_core::{
    affinity::FoundToken,
    route::{Headers, SessionReading},
};
use spillgate_grpc::GrpcSessionRequest;

use super::SessionPolicy;

/// The text where a session token may be.
pub(super) enum CarriedToken<'h> {
    /// The request has no token.
    Absent,
    /// The text of a token, not opened yet.
    Text(&'h [u8]),
    /// Several texts, or one that cannot be a token. The reason is as in [`TokenOutcome`].
    ///
    /// [`TokenOutcome`]: crate::port::TokenOutcome
    Refused(&'static str),
}

/// The hosts in a token of another proxy, in order of preference.
pub(super) struct ForeignHosts {
    /// Separated by commas.
    addresses: String,
    /// The cluster of the hosts, if the token names it.
    cluster: Option<String>,
}

impl ForeignHosts {
    /// The addresses, if they may be hosts of this cluster.
    pub(super) fn hosts_in(&self, cluster: &str) -> impl Iterator<Item = &str> {
        let named = self.cluster.as_deref().is_none_or(|name| name == cluster);
        let addresses = self.addresses.split(',').filter(|one| !one.is_empty());
        addresses.filter(move |_| named)
    }
}

/// The text in the configured cookie or header.
pub(super) fn token<'h, H: Headers>(carrier: &'h Carrier, headers: &'h H) -> CarriedToken<'h> {
    match carrier {
        Carrier::Cookie(carrier) => match carrier.cookie.find(headers.values("cookie")) {
            FoundToken::None => CarriedToken::Absent,
            FoundToken::One(text) => CarriedToken::Text(text.as_bytes()),
            refused => CarriedToken::Refused(refused.name()),
        },
        Carrier::Header(name) | Carrier::Envelope(name) => {
            let mut values = headers.values(name);
            match (values.next(), values.next()) {
                (None, _) => CarriedToken::Absent,
                (Some(_), Some(_)) => CarriedToken::Refused(FoundToken::Several.name()),
                (Some(text), None) => CarriedToken::Text(text),
            }
        }
    }
}

/// The hosts that tokens of other proxies name, for the formats in `affinity.accept`. Several
/// formats can read the same bytes. `text` is the text where a token would be; `now` is the time in
/// seconds since the Unix epoch.
pub(super) fn foreign<H: Headers>(
    policy: &SessionPolicy,
    headers: &H,
    text: &[u8],
    now: u64,
) -> Vec<ForeignHosts> {
    let forms = policy.config.accept.iter();
    let read = forms.filter_map(|form| match form {
        Accepted::EnvoyCookie | Accepted::EnvoyHeader => {
            match policy.envoys.as_ref()?.read(headers, now) {
                SessionReading::Named(host) => Some(ForeignHosts {
                    addresses: host.address,
                    cluster: None,
                }),
                _ => None,
            }
        }
        Accepted::GrpcCookie => {
            let session = GrpcSessionRequest::from_value(text)?;
            Some(ForeignHosts {
                addresses: session.address_list,
                cluster: Some(session.cluster).filter(|cluster| !cluster.is_empty()),
            })
        }
    });
    read.collect()
}
