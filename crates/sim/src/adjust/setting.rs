//! Settings that change, in text form (`shop.overprovisioning_factor=200`).

use alloc::{format, string::String, vec, vec::Vec};
use core::fmt;

use spillgate_core::{
    model::{
        ClusterKind, HashFunction, LeastRequestConfig, LocalityLb, MaglevConfig, Metadata, Model,
        PlainCluster, Policy, RingHashConfig, ZoneAware,
    },
    snapshot::HostRef,
};

use super::field::{FIELDS, FieldName, FieldValue, PolicyName, names};
use crate::{
    Scene, Selector,
    fault::{Piece, SpecFault},
};

/// The code of all faults of a setting.
const CODE: &str = "what-if/setting";

/// A new value of a field of a cluster, or of its localities or hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The text.
    pub text: String,
    /// The name of the cluster, or a pattern of names.
    pub cluster: String,
    /// The hosts in question, or those of the localities in question.
    selector: Option<Selector>,
    value: FieldValue,
    /// The number of characters before the field in the text, and its name.
    field: (usize, &'static str),
}

impl Setting {
    /// Reads `CLUSTER.FIELD=VALUE`, or `CLUSTER[SELECTOR].FIELD=VALUE` for the weights of localities and
    /// hosts. FIELD is a name of [`Cluster`'s fields](Setting::fields), or its path in the message.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let form = |at| {
            let message = "not a setting";
            let expected = "CLUSTER.FIELD=VALUE such as shop.overprovisioning_factor=200";
            vec![SpecFault::new(CODE, at, message, expected)]
        };
        let (left, value) = whole.rsplit_once('=').ok_or_else(|| form(whole))?;
        let (left, value) = (left.trimmed(), value.trimmed());
        let (cluster, selector, name) = match in_brackets(left) {
            Some((cluster, selector, name)) => (cluster, Some(selector), name),
            None => {
                let (cluster, name) = split_field(left).ok_or_else(|| form(left))?;
                (cluster, None, name)
            }
        };
        if cluster.text.is_empty() {
            return Err(form(left));
        }
        let Some(field) = FIELDS.iter().find(|field| field.is(name.text)) else {
            let mut fault = SpecFault::new(CODE, name, "unknown field", "").one_of(names());
            fault.expected = format!("one of {}", names().join(", "));
            return Err(vec![fault]);
        };
        let mut faults = Vec::new();
        if field.of_place != selector.is_some() {
            faults.push(misplaced(field, name));
        }
        let selector = match selector.map(Selector::read).transpose() {
            Ok(selector) => selector,
            Err(found) => {
                faults.extend(found);
                None
            }
        };
        match (field.read)(value.text) {
            Some(read) if faults.is_empty() => Ok(Self {
                text: whole.text.into(),
                cluster: cluster.text.into(),
                selector,
                value: read,
                field: (name.before, field.name),
            }),
            Some(_) => Err(faults),
            None => {
                faults.push(SpecFault::new(CODE, value, "invalid value", field.expected));
                Err(faults)
            }
        }
    }

    /// The names of the known fields.
    #[must_use]
    pub fn fields() -> Vec<&'static str> {
        names()
    }

    /// Changes the cluster with this index.
    ///
    /// # Errors
    /// If the cluster does not have the field, or its other settings leave it without an effect.
    pub fn apply(&self, model: &mut Model, index: usize) -> Result<(), SpecFault> {
        let hosts = self.hosts(model, index)?;
        let changed = model.change(index, |kind| match kind {
            ClusterKind::Plain(plain) => self.change(plain, &hosts),
            ClusterKind::Aggregate(aggregate) => match self.value {
                FieldValue::PanicThreshold(threshold) => {
                    aggregate.panic_threshold = threshold;
                    Ok(())
                }
                _ => Err(self.fault("not a field of an aggregate cluster", "a member cluster")),
            },
            ClusterKind::Composite(_) => {
                Err(self.fault("not a field of a composite cluster", "a member cluster"))
            }
            ClusterKind::OriginalDst(_) => {
                Err(self.fault("not a field of an ORIGINAL_DST cluster", "another cluster"))
            }
        });
        // The other errors concern names and localities, which stay.
        changed.ok().flatten().unwrap_or(Ok(()))
    }

    /// The hosts that the selector matches; empty without one.
    fn hosts(&self, model: &Model, index: usize) -> Result<Vec<HostRef>, SpecFault> {
        let Some(selector) = &self.selector else {
            return Ok(Vec::new());
        };
        let Some(cluster) = model.clusters().get(index) else {
            return Ok(Vec::new());
        };
        let alone = Model::shared(vec![cluster.clone()]).unwrap_or_else(|_| Model::empty());
        match Scene::new(&alone, &cluster.name, Metadata::EMPTY) {
            Some(scene) => scene.select(selector),
            None => Ok(Vec::new()),
        }
    }

    fn change(&self, plain: &mut PlainCluster, hosts: &[HostRef]) -> Result<(), SpecFault> {
        match self.value {
            FieldValue::Policy(name) => set_policy(plain, name),
            FieldValue::PanicThreshold(threshold) => plain.panic_threshold = threshold,
            FieldValue::OverprovisioningFactor(percent) => {
                plain.overprovisioning_factor.0 = percent;
            }
            FieldValue::WeightedPriorityHealth(weighted) => {
                plain.weighted_priority_health = weighted;
            }
            FieldValue::MinimumRingSize(size) => {
                self.set_ring(plain, |ring| (size, ring.maximum_ring_size()))?;
            }
            FieldValue::MaximumRingSize(size) => {
                self.set_ring(plain, |ring| (ring.minimum_ring_size(), size))?;
            }
            FieldValue::MaglevTable(config) => match &mut plain.policy {
                Policy::Maglev(maglev) => *maglev = config,
                _ => return Err(self.without_policy("MAGLEV")),
            },
            FieldValue::HashBalanceFactor(factor) => {
                if !plain.policy.hashes() {
                    return Err(self.without_policy("RING_HASH or MAGLEV"));
                }
                plain.hash_balance_factor = Some(factor);
            }
            FieldValue::LocalityWeighted(true) => plain.locality_lb = LocalityLb::Weighted,
            FieldValue::LocalityWeighted(false) => {
                if plain.locality_lb.is_weighted() {
                    plain.locality_lb = LocalityLb::default();
                }
            }
            FieldValue::RoutingEnabled(percent) => {
                self.zone_aware(plain)?.routing_enabled = percent;
            }
            FieldValue::MinClusterSize(hosts) => self.zone_aware(plain)?.min_cluster_size = hosts,
            FieldValue::LocalityWeight(weight) => self.set_localities(plain, hosts, weight)?,
            FieldValue::HostWeight(weight) => {
                for host in hosts {
                    let priority = plain.priorities.get_mut(host.priority);
                    if let Some(host) = priority.and_then(|of| of.endpoints.get_mut(host.host)) {
                        host.weight = weight;
                    }
                }
            }
        }
        Ok(())
    }

    fn set_ring(
        &self,
        plain: &mut PlainCluster,
        sizes: impl FnOnce(&RingHashConfig) -> (u64, u64),
    ) -> Result<(), SpecFault> {
        let Policy::RingHash(ring) = &mut plain.policy else {
            return Err(self.without_policy("RING_HASH"));
        };
        let (minimum, maximum) = sizes(ring);
        let function: HashFunction = ring.hash_function();
        *ring = RingHashConfig::new(minimum, maximum, function).map_err(|_| {
            self.fault(
                "minimum_ring_size exceeds maximum_ring_size",
                format!("{minimum} at most {maximum}"),
            )
        })?;
        Ok(())
    }

    fn zone_aware<'p>(&self, plain: &'p mut PlainCluster) -> Result<&'p mut ZoneAware, SpecFault> {
        match &mut plain.locality_lb {
            LocalityLb::ZoneAware(zone_aware) => Ok(zone_aware),
            LocalityLb::Weighted => Err(self.fault(
                "no effect with locality_weighted_lb_config",
                "locality_weighted_lb_config=false",
            )),
        }
    }

    fn set_localities(
        &self,
        plain: &mut PlainCluster,
        hosts: &[HostRef],
        weight: u32,
    ) -> Result<(), SpecFault> {
        if !plain.locality_lb.is_weighted() {
            return Err(self.fault(
                "no effect without locality_weighted_lb_config",
                "locality_weighted_lb_config=true",
            ));
        }
        for host in hosts {
            let Some(priority) = plain.priorities.get_mut(host.priority) else {
                continue;
            };
            let of_host = priority.endpoints.get(host.host).map(|of| of.locality);
            let locality = of_host.and_then(|at| priority.localities.get_mut(at));
            if let Some(locality) = locality {
                locality.weight = Some(weight);
            }
        }
        Ok(())
    }

    fn without_policy(&self, policy: &str) -> SpecFault {
        let message = "no effect with the cluster's lb_policy";
        self.fault(message, format!("lb_policy={policy}"))
    }

    /// A fault of the field in a cluster.
    fn fault(&self, message: &'static str, expected: impl Into<String>) -> SpecFault {
        let (before, text) = self.field;
        SpecFault::new(CODE, Piece { text, before }, message, expected)
    }
}

/// The parts of `CLUSTER[SELECTOR].FIELD`.
fn in_brackets(left: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>, Piece<'_>)> {
    let (start, end) = (left.text.find('[')?, left.text.rfind("].")?);
    let (cluster, rest) = left.cut(start, "[")?;
    let (selector, field) = rest.cut(end.checked_sub(start + 1)?, "].")?;
    Some((cluster.trimmed(), selector, field.trimmed()))
}

/// The parts of `CLUSTER.FIELD`: names of clusters have dots, too, so the longest path of a field counts.
fn split_field(left: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>)> {
    let dots = left.text.match_indices('.').map(|(at, _)| at);
    let mut cuts = dots.filter_map(|at| left.cut(at, "."));
    let known = cuts.find(|(_, field)| FIELDS.iter().any(|of| of.is(field.text)));
    known.or_else(|| left.rsplit_once('.'))
}

fn misplaced(field: &FieldName, name: Piece<'_>) -> SpecFault {
    let (message, expected) = if field.of_place {
        let expected = format!("CLUSTER[SELECTOR].{} such as shop[zone=a]", field.name);
        ("this field needs a selector", expected)
    } else {
        let expected = format!("CLUSTER.{}", field.name);
        ("this field is of the whole cluster", expected)
    };
    SpecFault::new(CODE, name, message, expected)
}

/// Sets `lb_policy`. The settings of the same policy stay; the slow start of another one is not used.
fn set_policy(plain: &mut PlainCluster, name: PolicyName) {
    if plain.policy.name() == name.name() {
        return;
    }
    plain.slow_start = None;
    plain.policy = match name {
        PolicyName::RoundRobin => Policy::RoundRobin,
        PolicyName::LeastRequest => Policy::LeastRequest(LeastRequestConfig::default()),
        PolicyName::Random => Policy::Random,
        PolicyName::RingHash => Policy::RingHash(RingHashConfig::default()),
        PolicyName::Maglev => Policy::Maglev(MaglevConfig::default()),
    };
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clusters_can_have_dots() {
        for (text, cluster, field) in [
            ("shop.lb_policy=MAGLEV", "shop", "lb_policy"),
            (
                "outbound|80||web.shop.svc.common_lb_config.healthy_panic_threshold=20%",
                "outbound|80||web.shop.svc",
                "healthy_panic_threshold",
            ),
            (
                "a.b[host=[::1]:80].lb_endpoints.load_balancing_weight=3",
                "a.b",
                "lb_endpoints.load_balancing_weight",
            ),
            (
                "*[zone=a].load_balancing_weight = 3",
                "*",
                "load_balancing_weight",
            ),
        ] {
            let read = Setting::parse(text).unwrap();
            assert_eq!((read.cluster.as_str(), read.field.1), (cluster, field));
        }
    }

    #[test]
    fn faults_have_columns_and_list_the_fields() {
        let faults = |text: &str| -> Vec<(usize, &str)> {
            let faults = Setting::parse(text).unwrap_err();
            faults.iter().map(|of| (of.column, of.message)).collect()
        };
        assert_eq!(faults("shop"), [(1, "not a setting")]);
        assert_eq!(faults(".lb_policy=RANDOM"), [(1, "not a setting")]);
        assert_eq!(faults("shop.lb_policy=random"), [(16, "invalid value")]);
        assert_eq!(faults("shop.table_size=65536"), [(17, "invalid value")]);
        assert_eq!(
            faults("shop.load_balancing_weight=0"),
            [(6, "this field needs a selector"), (28, "invalid value")]
        );
        assert_eq!(
            faults("shop[zone=a].lb_policy=MAGLEV"),
            [(14, "this field is of the whole cluster")]
        );
        assert_eq!(
            faults("shop[zon=a].load_balancing_weight=1"),
            [(6, "unknown selector key")]
        );
        let unknown = Setting::parse("shop.panic_treshold=1").unwrap_err();
        assert_eq!(
            (unknown[0].column, unknown[0].message),
            (6, "unknown field")
        );
        for field in Setting::fields() {
            assert!(unknown[0].expected.contains(field), "{field}");
        }
    }
}
