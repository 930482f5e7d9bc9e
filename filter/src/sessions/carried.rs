//! What of a session stands in a request's headers.

use super::visit::Affinity;
use crate::request_headers::RequestHeaders;
use spillgate_config::filter::{Accepted, Carrier};
use spillgate_core::affinity::Found;
use spillgate_core::route::{Headers, SessionReading};
use spillgate_grpc::GrpcSessionRequest;

/// What may be a token.
pub(super) enum Carried<'h> {
    /// There is none.
    Nothing,
    /// A text in the place of one.
    Token(&'h [u8]),
    /// More than one, or what cannot be one: nothing of it counts.
    Refused(&'static str),
}

/// Hosts as another proxy names them, best first.
pub(super) struct Foreign {
    /// Commas between.
    addresses: String,
    /// The cluster that they are of, where the form says it.
    cluster: Option<String>,
}

impl Foreign {
    /// The addresses that may be hosts of this cluster.
    pub(super) fn hosts_in(&self, cluster: &str) -> impl Iterator<Item = &str> {
        let named = self.cluster.as_deref().is_none_or(|name| name == cluster);
        let addresses = self.addresses.split(',').filter(|one| !one.is_empty());
        addresses.filter(move |_| named)
    }
}

impl Affinity {
    /// The token, where the configuration looks for it.
    pub(super) fn carried<'h>(&'h self, headers: &'h RequestHeaders) -> Carried<'h> {
        match &self.config.carrier {
            Carrier::Cookie(carrier) => match carrier.cookie.find(headers.values("cookie")) {
                Found::None => Carried::Nothing,
                Found::One(text) => Carried::Token(text.as_bytes()),
                refused => Carried::Refused(refused.name()),
            },
            Carrier::Header(name) | Carrier::Envelope(name) => {
                let mut values = headers.values(name);
                match (values.next(), values.next()) {
                    (None, _) => Carried::Nothing,
                    (Some(_), Some(_)) => Carried::Refused(Found::Several.name()),
                    (Some(text), None) => Carried::Token(text),
                }
            }
        }
    }

    /// What the forms that are honoured beside tokens make of it; several can read the same bytes.
    /// `text` stands where a token is looked for.
    pub(super) fn foreign(&self, headers: &RequestHeaders, text: &[u8], now: u64) -> Vec<Foreign> {
        let forms = self.config.accept.iter();
        let read = forms.filter_map(|form| match form {
            Accepted::EnvoyCookie | Accepted::EnvoyHeader => {
                match self.envoys.as_ref()?.read(headers, now) {
                    SessionReading::Named(host) => Some(Foreign {
                        addresses: host.address,
                        cluster: None,
                    }),
                    _ => None,
                }
            }
            Accepted::GrpcCookie => {
                let asked = GrpcSessionRequest::from_value(text)?;
                Some(Foreign {
                    addresses: asked.address_list,
                    cluster: Some(asked.cluster).filter(|cluster| !cluster.is_empty()),
                })
            }
        });
        read.collect()
    }
}
