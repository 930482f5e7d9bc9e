//! The filter configuration of a simulated gateway.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::{
    AffinityConfig, AffinityFallback, CacheControl, Carrier, CookieConfig, Criterion, FilterConfig,
    LostSession, Output, TargetConfig,
};
use spillgate_core::{
    affinity::{CookieSettings, KeyRing, SessionCookie},
    decide::OnLost,
    model::{Metadata, Model},
    route::{
        ClusterName, HashPolicy, HashSource, HeaderMutations, SplitBy, WeightedCluster,
        WeightedClusters,
    },
};

use crate::world::{Layout, SessionRules, WorldFallback, WorldScenario};

/// The header that is hashed.
pub(super) const USER: &str = "x-user";
/// The output headers.
pub(super) const HOSTS: &str = "x-hosts";
pub(super) const CLUSTER: &str = "x-cluster";
/// The authority of all requests, which is the token scope.
pub(crate) const SCOPE: &str = "shop.example";
/// The `on_lost` status.
pub(super) const LOST: u32 = 410;

/// The configuration; `None` if requests have no target.
pub(super) fn config(
    scenario: &WorldScenario,
    keys: &KeyRing,
    epoch: u16,
    model: Model,
) -> Option<FilterConfig> {
    let WorldScenario {
        layout, sessions, ..
    } = scenario;
    let hash = || HashPolicy {
        source: HashSource::Header {
            name: USER.into(),
            rewrite: None,
        },
        terminal: false,
    };
    let has_criteria = layout.criteria.iter().any(|of| *of != Metadata::EMPTY);
    Some(FilterConfig {
        hash_policies: Vec::from_iter(sessions.request_hash.then(hash)),
        criteria: Vec::from_iter(has_criteria.then_some(Criterion::RouteMetadata)),
        affinity: Some(affinity(sessions, keys, epoch)?),
        output: Output {
            host_header: HOSTS.into(),
            cluster_header: CLUSTER.into(),
            // The head of the list is the host that responds: the simulation has no retries.
            candidates: 1,
            ..Output::default()
        },
        ..FilterConfig::new(model, target(layout)?)
    })
}

fn target(layout: &Layout) -> Option<TargetConfig> {
    let name = |at: usize| Some(layout.clusters.get(at)?.name.clone());
    if let [(only, _)] = *layout.targets {
        return name(only).map(TargetConfig::Always);
    }
    let targets = layout.targets.iter();
    let clusters = targets.filter_map(|&(at, weight)| {
        Some(WeightedCluster {
            cluster: ClusterName::Name(name(at)?),
            weight,
            criteria: Metadata::EMPTY,
            filters: None,
            headers: HeaderMutations::default(),
            host_rewrite: None,
        })
    });
    let weighted = WeightedClusters::new(clusters.collect(), SplitBy::Random);
    weighted.ok().map(TargetConfig::Weighted)
}

fn affinity(rules: &SessionRules, keys: &KeyRing, epoch: u16) -> Option<AffinityConfig> {
    let settings = CookieSettings {
        ttl: rules.life.ttl,
        ..CookieSettings::default()
    };
    Some(AffinityConfig {
        carrier: Carrier::Cookie(CookieConfig {
            cookie: SessionCookie::new(&settings).ok()?,
            ttl: Duration::from_secs(rules.life.ttl),
            post_only: false,
            cache_control: CacheControl::Keep,
        }),
        keys: keys.clone(),
        scope: None,
        max_life: Duration::from_secs(rules.life.max),
        epoch,
        statuses: rules.statuses,
        on_lost: match rules.on_lost {
            OnLost::Rebalance => LostSession::Rebalance,
            OnLost::Refuse => LostSession::Refuse {
                status: LOST,
                retry_after: None,
            },
        },
        fallback: match rules.fallback {
            WorldFallback::Rendezvous => AffinityFallback::Rendezvous,
            WorldFallback::Policy => AffinityFallback::Policy,
        },
        max_share: rules.max_share,
        max_requests_per_token: None,
        accept: Vec::new(),
    })
}

/// The value of a `cookie` header with this token.
pub(super) fn cookie_with(token: &[u8]) -> Vec<u8> {
    [NAME.as_bytes(), b"=", token].concat()
}

/// The token in the value of a `set-cookie` header.
pub(super) fn token_in(cookie: &str) -> Option<String> {
    let (name, value) = cookie.split_once('=')?;
    let (token, _) = value.split_once(';')?;
    (name == NAME && !removes_token(cookie)).then(|| token.into())
}

/// Whether the value of a `set-cookie` header removes the cookie.
pub(super) fn removes_token(cookie: &str) -> bool {
    cookie.split("; ").any(|attribute| attribute == "Max-Age=0")
}

/// The default name of the cookie.
const NAME: &str = "spillgate";
