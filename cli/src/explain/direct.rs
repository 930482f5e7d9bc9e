//! `spillgate explain --cluster`: a request that no route of the configuration sends to its cluster.
//!
//! A route of its own has what the options state: subset criteria, a hash key, a session. So the engine treats
//! them as those of a configured route.

use spillgate_core::{
    model::{Metadata, Model},
    route::{
        ClusterName, Forward, HashPolicy, HashSource, PathMatch, RequestFilter, RetryPolicy, Route,
        RouteAction, RouteMatch, RouteMetadata, RouteTable, RouteTarget, StatefulSession,
        StatefulSessionCarrier, VirtualHost,
    },
};

use super::args::ExplainArgs;
use crate::{
    input::Faults,
    pick::{PickRequest, UNAVAILABLE},
    spec::criteria,
};

/// The header with the hash key, as on the page.
const KEY_HEADER: &str = "x-key";

/// The header with the session.
const SESSION_HEADER: &str = "x-session";

/// Routes that send everything to one cluster, with the criteria, hash policy and session of the options.
pub(super) fn direct(
    cluster: &str,
    args: &ExplainArgs,
    model: &Model,
) -> Result<RouteTable, Faults> {
    let key = args.hash_key.is_some().then(|| HashPolicy {
        source: HashSource::Header {
            name: KEY_HEADER.into(),
            rewrite: None,
        },
        terminal: false,
    });
    let session = args.session_host.is_some().then(|| {
        RequestFilter::StatefulSession(StatefulSession {
            carrier: StatefulSessionCarrier::Header(SESSION_HEADER.into()),
            strict: args.strict_session,
            status_not_found: StatefulSession::UNAVAILABLE,
        })
    });
    let route = Route {
        id: 0,
        name: String::new(),
        matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
        action: RouteAction::Forward(Forward {
            target: RouteTarget::One(ClusterName::Name(cluster.to_owned())),
            criteria: match args.criteria.as_deref() {
                Some(text) => criteria(model, Some(text))?,
                None => Metadata::default(),
            },
            hash_policies: key.into_iter().collect(),
            retry: RetryPolicy::NONE,
            cluster_not_found: UNAVAILABLE,
        }),
        filters: session.map(|session| vec![session]),
        metadata: RouteMetadata::default(),
    };
    Ok(RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: String::new(),
            domains: vec!["*".to_owned()],
            routes: vec![route],
        }],
        ..RouteTable::default()
    })
}

/// Adds the headers that the route of [`direct`] reads. They precede other headers of these names.
pub(super) fn add_headers(args: &ExplainArgs, request: &mut PickRequest) {
    let key = args.hash_key.clone();
    let session = args.session_host.as_ref();
    let session = session.map(|host| base64(host.as_bytes()));
    let added = [(KEY_HEADER, key), (SESSION_HEADER, session)];
    for (name, value) in added {
        if let Some(value) = value {
            request.headers.insert(0, (name.to_owned(), value));
        }
    }
}

/// Padded base64, as Envoy writes it into the header.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for at in 0..4 {
            let place = ((bits >> (18 - 6 * at)) & 63) as usize;
            let letter = LETTERS.get(place).copied().filter(|_| at <= chunk.len());
            text.push(letter.map_or('=', char::from));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn addresses_are_padded_base64() {
        assert_eq!(base64(b"10.0.0.1:80"), "MTAuMC4wLjE6ODA=");
        assert_eq!(base64(b"[::1]:8080"), "Wzo6MV06ODA4MA==");
        assert_eq!(base64(b"abc"), "YWJj");
    }
}
