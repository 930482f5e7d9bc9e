//! Finding the session token in request headers.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::{Accepted, Carrier};
use spillgate_core::{
    affinity::{FoundToken, TokenCopies},
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
    /// The texts of several cookies, one of which may be the token.
    Several(TokenCopies<'h>),
    /// A text that is too long for a token, but may be that of another proxy.
    Long(&'h [u8]),
    /// Several headers, or a text that cannot be a token. The reason is as in [`TokenOutcome`].
    ///
    /// [`TokenOutcome`]: crate::port::TokenOutcome
    Refused(&'static str),
}

/// The reason for several texts without an acceptable token.
pub(super) const SEVERAL: &str = "several";
/// The reason for a text that exceeds its limit.
pub(super) const TOO_LONG: &str = "too_long";
/// The reason for a session of another proxy with too many hosts.
const TOO_MANY_HOSTS: &str = "too_many_hosts";

/// The maximum length of a session of another proxy, in bytes of its text.
const LONGEST_FOREIGN: usize = 8 * 1024;
/// The maximum number of addresses in a session of another proxy.
const MOST_FOREIGN_HOSTS: usize = 32;

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
        self.addresses().filter(move |_| named)
    }

    fn addresses(&self) -> impl Iterator<Item = &str> {
        self.addresses.split(',').filter(|one| !one.is_empty())
    }
}

/// The text in the configured cookie or header.
pub(super) fn token<'h, H: Headers>(carrier: &'h Carrier, headers: &'h H) -> CarriedToken<'h> {
    match carrier {
        Carrier::Cookie(carrier) => match carrier.cookie.find(headers.values("cookie")) {
            FoundToken::None => CarriedToken::Absent,
            FoundToken::One(text) => CarriedToken::Text(text.as_bytes()),
            FoundToken::Several(copies) => CarriedToken::Several(copies),
            FoundToken::TooLong(text) => CarriedToken::Long(text),
            refused => CarriedToken::Refused(refused.name()),
        },
        Carrier::Header(name) | Carrier::Envelope(name) => {
            let mut values = headers.values(name);
            match (values.next(), values.next()) {
                // A client may repeat the empty header that ended its session.
                (None, _) | (Some(b""), None) => CarriedToken::Absent,
                // Clients and browsers send a header once; of two, an attacker may have added either.
                (Some(_), Some(_)) => CarriedToken::Refused(SEVERAL),
                (Some(text), None) => CarriedToken::Text(text),
            }
        }
    }
}

/// The hosts that tokens of other proxies name, for the formats in `affinity.accept`. Several
/// formats can read the same bytes. `text` is the text where a token would be; `now` is the time in
/// seconds since the Unix epoch.
///
/// # Errors
/// The reason, if a format reads more than 8 KiB or more than 32 addresses: clients choose them, and
/// each address is looked up.
pub(super) fn foreign<H: Headers>(
    policy: &SessionPolicy,
    headers: &H,
    text: &[u8],
    now: u64,
) -> Result<Vec<ForeignHosts>, &'static str> {
    let forms = &policy.config.accept;
    if !forms.is_empty() && text.len() > LONGEST_FOREIGN {
        return Err(TOO_LONG);
    }
    let read = forms.iter().filter_map(|form| match form {
        Accepted::EnvoyCookie | Accepted::EnvoyHeader => {
            match policy.envoys.as_ref()?.read(headers, now) {
                SessionReading::Host(host) => Some(ForeignHosts {
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
    let read: Vec<ForeignHosts> = read.collect();
    let exceeds = |foreign: &ForeignHosts| foreign.addresses().nth(MOST_FOREIGN_HOSTS).is_some();
    if read.iter().any(exceeds) {
        Err(TOO_MANY_HOSTS)
    } else {
        Ok(read)
    }
}
