//! The documents in Kuma vectors.
//!
//! They are read without the reader of mesh documents: vectors about validation contain values that
//! Kuma rejects, and compare the codes of the rules. That reader returns diagnostics instead of a
//! document with such a value. The other kinds contain parts of documents, such as a list of rules.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use spillgate_mesh::{
    MeshHost,
    kuma::{
        KumaAffinityTag, KumaConf, KumaCrossZone, KumaEndpoint, KumaFailover, KumaFailoverTo,
        KumaHashCookie, KumaHashPolicy, KumaLeastRequest, KumaLoadBalancer, KumaLocalZone,
        KumaLocalityAwareness, KumaNumber, KumaProxy, KumaTargetRef,
    },
};

use super::assigned::weight;

/// `local`: the point of view.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Local {
    zone: String,
    #[serde(default)]
    tags: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(default)]
    egress_enabled: bool,
}

/// An endpoint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Endpoint {
    addr: String,
    zone: String,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    weight: Option<u32>,
}

/// `default`, and `policy` of other kinds.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Conf {
    locality_awareness: Option<LocalityAwareness>,
    load_balancer: Option<LoadBalancer>,
    hash_policies: Option<Vec<HashPolicy>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct LocalityAwareness {
    disabled: Option<bool>,
    local_zone: Option<LocalZone>,
    cross_zone: Option<CrossZone>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LocalZone {
    affinity_tags: Option<Vec<AffinityTag>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AffinityTag {
    key: String,
    weight: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CrossZone {
    failover: Option<Vec<Failover>>,
    failover_threshold: Option<FailoverThreshold>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FailoverThreshold {
    percentage: Number,
}

/// One rule of `failover`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Failover {
    from: Option<From>,
    to: To,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    zones: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct To {
    #[serde(rename = "type", default)]
    kind: String,
    zones: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LoadBalancer {
    #[serde(rename = "type", default)]
    kind: String,
    least_request: Option<LeastRequest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LeastRequest {
    choice_count: Option<i64>,
    active_request_bias: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct HashPolicy {
    #[serde(rename = "type", default)]
    kind: String,
    terminal: Option<bool>,
    header: Option<Named>,
    cookie: Option<Cookie>,
    connection: Option<Connection>,
    query_parameter: Option<Named>,
    filter_state: Option<Keyed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keyed {
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cookie {
    name: String,
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Connection {
    #[serde(rename = "sourceIP")]
    source_ip: Option<bool>,
}

/// `to_target_ref`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TargetRef {
    kind: String,
    name: Option<String>,
    labels: Option<BTreeMap<String, String>>,
    section_name: Option<String>,
}

/// A number or a text.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Number(Value);

// === conversions ===

impl Number {
    pub(super) fn read(&self) -> Result<KumaNumber, String> {
        match &self.0 {
            Value::Number(number) => Ok(match number.as_i64() {
                Some(whole) => KumaNumber::Integer(whole),
                None => KumaNumber::Text(number.to_string()),
            }),
            Value::String(text) => Ok(KumaNumber::Text(text.clone())),
            other => Err(format!("{other} is not a number or a text")),
        }
    }
}

impl Local {
    pub(super) fn read(self) -> KumaProxy {
        let mut proxy = KumaProxy::new(self.zone);
        for (key, values) in self.tags {
            for value in values {
                proxy.add_tag(key.as_str(), value);
            }
        }
        proxy.meta.labels = self.labels;
        proxy.egress_enabled = self.egress_enabled;
        proxy
    }
}

impl Endpoint {
    pub(super) fn read(self) -> Result<KumaEndpoint, String> {
        let mut endpoint = KumaEndpoint::new("", self.zone);
        endpoint.host = MeshHost {
            weight: weight(self.weight)?,
            ..MeshHost::new(self.addr)
        };
        endpoint.tags = self.tags;
        Ok(endpoint)
    }
}

impl Conf {
    pub(super) fn read(self) -> Result<KumaConf, String> {
        let locality = self.locality_awareness.map(LocalityAwareness::read);
        let balancer = self.load_balancer.map(LoadBalancer::read);
        let policies = |list: Vec<HashPolicy>| list.into_iter().map(HashPolicy::read).collect();
        Ok(KumaConf {
            locality_awareness: locality.transpose()?,
            load_balancer: balancer.transpose()?,
            hash_policies: self.hash_policies.map(policies),
        })
    }
}

impl LocalityAwareness {
    fn read(self) -> Result<KumaLocalityAwareness, String> {
        let tag = |tag: AffinityTag| KumaAffinityTag {
            key: tag.key,
            weight: tag.weight,
        };
        let tags = |tags: Vec<AffinityTag>| tags.into_iter().map(tag).collect();
        Ok(KumaLocalityAwareness {
            disabled: self.disabled,
            local_zone: self.local_zone.map(|zone| KumaLocalZone {
                affinity_tags: zone.affinity_tags.map(tags),
            }),
            cross_zone: self.cross_zone.map(CrossZone::read).transpose()?,
        })
    }
}

impl CrossZone {
    fn read(self) -> Result<KumaCrossZone, String> {
        let threshold = self.failover_threshold;
        let threshold = threshold.map(|threshold| threshold.percentage.read());
        let rules = |rules: Vec<Failover>| rules.into_iter().map(Failover::read).collect();
        Ok(KumaCrossZone {
            failover: self.failover.map(rules),
            failover_threshold: threshold.transpose()?,
        })
    }
}

impl Failover {
    pub(super) fn read(self) -> KumaFailover {
        KumaFailover {
            from_zones: self.from.map(|from| from.zones),
            to: KumaFailoverTo {
                kind: self.to.kind,
                zones: self.to.zones,
            },
        }
    }
}

impl LoadBalancer {
    fn read(self) -> Result<KumaLoadBalancer, String> {
        let least_request = match self.least_request {
            Some(block) => {
                let bias = block.active_request_bias.map(|bias| bias.read());
                Some(KumaLeastRequest {
                    choice_count: block.choice_count,
                    active_request_bias: bias.transpose()?,
                })
            }
            None => None,
        };
        Ok(KumaLoadBalancer {
            kind: self.kind,
            least_request,
            ..KumaLoadBalancer::default()
        })
    }
}

impl HashPolicy {
    fn read(self) -> KumaHashPolicy {
        KumaHashPolicy {
            kind: self.kind,
            terminal: self.terminal,
            header: self.header.map(|header| header.name),
            cookie: self.cookie.map(|cookie| KumaHashCookie {
                name: cookie.name,
                ttl_ms: None,
                path: cookie.path,
            }),
            connection: self.connection.map(|of| of.source_ip.unwrap_or(false)),
            query_parameter: self.query_parameter.map(|parameter| parameter.name),
            filter_state: self.filter_state.map(|state| state.key),
        }
    }
}

impl TargetRef {
    pub(super) fn read(self) -> KumaTargetRef {
        KumaTargetRef {
            kind: self.kind,
            name: self.name,
            labels: self.labels,
            section_name: self.section_name,
            ..KumaTargetRef::default()
        }
    }
}
