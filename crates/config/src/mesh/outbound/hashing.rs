//! Hash policies of meshes as those of routes.

use alloc::{vec, vec::Vec};

use spillgate_core::route::{CookieSource, HashPolicy, HashSource};
use spillgate_mesh::{
    istio::IstioConsistentHash,
    kuma::{KumaHashCookie, KumaHashPolicy},
};

/// Kuma's hash policies. Entries without the block of their type have been reported by the reader.
pub(super) fn kuma_hash_policies(policies: &[KumaHashPolicy]) -> Vec<HashPolicy> {
    let policies = policies.iter().filter_map(|policy| {
        let source = match policy.kind.as_str() {
            "Header" => header(policy.header.as_deref()?),
            "Cookie" => kuma_cookie(policy.cookie.as_ref()?),
            "Connection" => policy
                .connection
                .filter(|on| *on)
                .map(|_| HashSource::SourceIp)?,
            "QueryParameter" => HashSource::QueryParameter {
                name: policy.query_parameter.clone()?,
            },
            "FilterState" => HashSource::FilterState {
                key: policy.filter_state.clone()?,
            },
            _ => return None,
        };
        Some(HashPolicy {
            source,
            terminal: policy.terminal == Some(true),
        })
    });
    policies.collect()
}

/// The hash policy of Istio's `consistentHash`.
pub(super) fn istio_hash_policies(hash: &IstioConsistentHash) -> Vec<HashPolicy> {
    let source = if let Some(name) = &hash.http_header_name {
        header(name)
    } else if let Some(cookie) = &hash.http_cookie {
        HashSource::Cookie(CookieSource {
            name: cookie.name.clone(),
            ttl: cookie.ttl_ms.map(|ttl| ttl / 1000),
            path: cookie.path.clone().unwrap_or_default(),
            attributes: Vec::new(),
        })
    } else if let Some(name) = &hash.http_query_parameter_name {
        HashSource::QueryParameter { name: name.clone() }
    } else if hash.use_source_ip == Some(true) {
        HashSource::SourceIp
    } else {
        return Vec::new();
    };
    vec![HashPolicy {
        source,
        terminal: false,
    }]
}

fn header(name: &str) -> HashSource {
    HashSource::Header {
        name: name.to_ascii_lowercase(),
        rewrite: None,
    }
}

fn kuma_cookie(cookie: &KumaHashCookie) -> HashSource {
    HashSource::Cookie(CookieSource {
        name: cookie.name.clone(),
        ttl: cookie.ttl_ms.map(|ttl| ttl / 1000),
        path: cookie.path.clone().unwrap_or_default(),
        attributes: Vec::new(),
    })
}
