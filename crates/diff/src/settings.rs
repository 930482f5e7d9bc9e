//! The settings of a cluster that differ, under Envoy's names.

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::model::{
    ClusterKind, HashFunction, HealthStatus, LeastRequestConfig, LocalityBasis, LocalityLb,
    Metadata, PlainCluster, Policy, SelectionMethod, SlowStart, SubsetConfig, SubsetFallback,
    ZoneAware,
};

use crate::SettingDiff;

/// Collects the settings that differ.
#[derive(Default)]
pub(crate) struct Settings(Vec<SettingDiff>);

impl Settings {
    /// Adds a setting if its texts differ.
    pub(crate) fn text(
        &mut self,
        field: &'static str,
        before: impl Into<String>,
        after: impl Into<String>,
    ) {
        let (before, after) = (before.into(), after.into());
        if before != after {
            self.0.push(SettingDiff {
                field,
                before,
                after,
            });
        }
    }

    /// Adds a setting if its values differ, with these texts. Other values can have one text, such as secrets.
    pub(crate) fn value<T: PartialEq + ?Sized>(
        &mut self,
        field: &'static str,
        before: &T,
        after: &T,
        text: impl Fn(&T) -> String,
    ) {
        if before != after {
            let (before, mut after) = (text(before), text(after));
            if before == after {
                after.push_str(CHANGED);
            }
            self.0.push(SettingDiff {
                field,
                before,
                after,
            });
        }
    }

    pub(crate) fn found(self) -> Vec<SettingDiff> {
        self.0
    }
}

/// After a new value with the text of the old one.
const CHANGED: &str = ", changed";

/// The field with the members of an aggregate or composite cluster.
const MEMBERS: &str = "clusters";

/// The settings of a cluster that differ, apart from its hosts.
pub(crate) fn of_kinds(before: &ClusterKind, after: &ClusterKind) -> Vec<SettingDiff> {
    let mut found = Settings::default();
    match (before, after) {
        (ClusterKind::Plain(before), ClusterKind::Plain(after)) => plain(before, after, &mut found),
        (ClusterKind::Aggregate(before), ClusterKind::Aggregate(after)) => {
            found.text(MEMBERS, before.members.join(", "), after.members.join(", "));
            found.value(
                "healthy_panic_threshold",
                &before.panic_threshold.percent(),
                &after.panic_threshold.percent(),
                percent,
            );
            found.value("flatten", &before.flatten, &after.flatten, bool::to_string);
        }
        (ClusterKind::Composite(before), ClusterKind::Composite(after)) => {
            found.text(MEMBERS, before.members.join(", "), after.members.join(", "));
            found.value(
                "composite_cluster_skip_clusters_without_hosts",
                &before.skips,
                &after.skips,
                bool::to_string,
            );
        }
        (ClusterKind::OriginalDst(before), ClusterKind::OriginalDst(after)) => {
            found.text(
                "http_header_name",
                or_none(before.http_header.clone()),
                or_none(after.http_header.clone()),
            );
            let port = |port: Option<u16>| or_none(port.map(|port| port.to_string()));
            found.text(
                "upstream_port_override",
                port(before.upstream_port),
                port(after.upstream_port),
            );
        }
        _ => found.text("cluster_type", kind(before), kind(after)),
    }
    found.found()
}

const fn kind(kind: &ClusterKind) -> &'static str {
    match kind {
        ClusterKind::Plain(_) => "with endpoints",
        ClusterKind::Aggregate(_) => "aggregate",
        ClusterKind::Composite(_) => "composite",
        ClusterKind::OriginalDst(_) => "ORIGINAL_DST",
    }
}

fn plain(before: &PlainCluster, after: &PlainCluster, found: &mut Settings) {
    policy(&before.policy, &after.policy, found);
    found.value(
        "healthy_panic_threshold",
        &before.panic_threshold.percent(),
        &after.panic_threshold.percent(),
        percent,
    );
    found.value(
        "overprovisioning_factor",
        &before.overprovisioning_factor.0,
        &after.overprovisioning_factor.0,
        percent,
    );
    found.value(
        "weighted_priority_health",
        &before.weighted_priority_health,
        &after.weighted_priority_health,
        bool::to_string,
    );
    locality_lb(&before.locality_lb, &after.locality_lb, found);
    let slow_start = |of: &Option<SlowStart>| or_none(of.as_ref().map(slow_start));
    found.value(
        "slow_start_config",
        &before.slow_start,
        &after.slow_start,
        slow_start,
    );
    found.value(
        "hash_balance_factor",
        &before.hash_balance_factor.map(|factor| factor.percent()),
        &after.hash_balance_factor.map(|factor| factor.percent()),
        |factor| or_none(factor.as_ref().map(percent)),
    );
    listed(
        "hash_policy",
        &before.hash_policies,
        &after.hash_policies,
        found,
    );
    listed(
        "override_host_sources",
        &before.override_hosts,
        &after.override_hosts,
        found,
    );
    let statuses = |of: &PlainCluster| {
        let named = HealthStatus::ALL.into_iter();
        let kept = named.filter(|status| of.override_statuses.contains(*status));
        kept.map(HealthStatus::name).collect::<Vec<_>>().join(", ")
    };
    found.text("override_host_status", statuses(before), statuses(after));
    found.value(
        "drop_overloads",
        &before.drop_overload.millionths(),
        &after.drop_overload.millionths(),
        |millionths| format!("{} %", f64::from(*millionths) / 10_000.0),
    );
    subsets(before.subsets.as_ref(), after.subsets.as_ref(), found);
}

fn policy(before: &Policy, after: &Policy, found: &mut Settings) {
    found.text("lb_policy", before.name(), after.name());
    match (before, after) {
        (Policy::RingHash(before), Policy::RingHash(after)) => {
            found.value(
                "minimum_ring_size",
                &before.minimum_ring_size(),
                &after.minimum_ring_size(),
                u64::to_string,
            );
            found.value(
                "maximum_ring_size",
                &before.maximum_ring_size(),
                &after.maximum_ring_size(),
                u64::to_string,
            );
            found.value(
                "hash_function",
                &before.hash_function(),
                &after.hash_function(),
                |function| {
                    String::from(match function {
                        HashFunction::XxHash => "XX_HASH",
                        HashFunction::MurmurHash2 => "MURMUR_HASH_2",
                    })
                },
            );
        }
        (Policy::Maglev(before), Policy::Maglev(after)) => found.value(
            "table_size",
            &before.table_size(),
            &after.table_size(),
            u32::to_string,
        ),
        (Policy::LeastRequest(before), Policy::LeastRequest(after)) => {
            found.value(
                "choice_count",
                &before.selection,
                &after.selection,
                |selection| match selection {
                    SelectionMethod::Choices(count) => count.to_string(),
                    SelectionMethod::FullScan => String::from("FULL_SCAN"),
                },
            );
            let bias = |of: &LeastRequestConfig| of.active_request_bias();
            found.value(
                "active_request_bias",
                &bias(before),
                &bias(after),
                f64::to_string,
            );
        }
        _ => {}
    }
}

fn locality_lb(before: &LocalityLb, after: &LocalityLb, found: &mut Settings) {
    match (before, after) {
        (LocalityLb::ZoneAware(before), LocalityLb::ZoneAware(after)) => {
            zone_aware(before, after, found);
        }
        _ => {
            let name = |of: &LocalityLb| {
                if of.is_weighted() {
                    "locality_weighted_lb_config"
                } else {
                    "zone_aware_lb_config"
                }
            };
            found.text("locality_config_specifier", name(before), name(after));
        }
    }
}

fn zone_aware(before: &ZoneAware, after: &ZoneAware, found: &mut Settings) {
    found.value(
        "routing_enabled",
        &before.routing_enabled,
        &after.routing_enabled,
        percent,
    );
    found.value(
        "min_cluster_size",
        &before.min_cluster_size,
        &after.min_cluster_size,
        u64::to_string,
    );
    found.value(
        "fail_traffic_on_panic",
        &before.fail_traffic_on_panic,
        &after.fail_traffic_on_panic,
        bool::to_string,
    );
    found.value(
        "force_local_zone",
        &before.force_local_zone,
        &after.force_local_zone,
        |size| or_none(size.map(|size| format!("min_size {size}"))),
    );
    found.value(
        "locality_basis",
        &before.locality_basis,
        &after.locality_basis,
        |basis| {
            String::from(match basis {
                LocalityBasis::HealthyHostsNum => "HEALTHY_HOSTS_NUM",
                LocalityBasis::HealthyHostsWeight => "HEALTHY_HOSTS_WEIGHT",
            })
        },
    );
}

fn subsets(before: Option<&SubsetConfig>, after: Option<&SubsetConfig>, found: &mut Settings) {
    let (Some(before), Some(after)) = (before, after) else {
        let has = |of: Option<&SubsetConfig>| if of.is_some() { "yes" } else { "no" };
        found.text("lb_subset_config", has(before), has(after));
        return;
    };
    listed(
        "subset_selectors",
        &before.selectors,
        &after.selectors,
        found,
    );
    found.value(
        "fallback_policy",
        &before.fallback,
        &after.fallback,
        |fallback| {
            String::from(match fallback {
                SubsetFallback::NoFallback => "NO_FALLBACK",
                SubsetFallback::AnyEndpoint => "ANY_ENDPOINT",
                SubsetFallback::DefaultSubset => "DEFAULT_SUBSET",
            })
        },
    );
    let metadata = |of: &Metadata| without_secrets(of).to_string();
    found.value(
        "default_subset",
        &before.default_subset,
        &after.default_subset,
        metadata,
    );
    for (field, before, after) in [
        (
            "metadata_fallback_policy",
            before.fallback_list,
            after.fallback_list,
        ),
        (
            "locality_weight_aware",
            before.locality_weight_aware,
            after.locality_weight_aware,
        ),
        (
            "scale_locality_weight",
            before.scale_locality_weight,
            after.scale_locality_weight,
        ),
        (
            "panic_mode_any",
            before.panic_mode_any,
            after.panic_mode_any,
        ),
        ("list_as_any", before.list_as_any, after.list_as_any),
        (
            "allow_redundant_keys",
            before.allow_redundant_keys,
            after.allow_redundant_keys,
        ),
    ] {
        found.value(field, &before, &after, bool::to_string);
    }
}

fn percent(percent: &u32) -> String {
    format!("{percent} %")
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| String::from("none"))
}

fn slow_start(of: &SlowStart) -> String {
    format!(
        "{:?}, aggression {}, at least {} %",
        of.window(),
        of.aggression(),
        of.min_weight_percent()
    )
}

/// A list, of which only the number of entries is short enough to show.
fn listed<T: PartialEq>(field: &'static str, before: &[T], after: &[T], found: &mut Settings) {
    if before != after {
        let entries = |list: &[T]| match list.len() {
            1 => String::from("1 entry"),
            count => format!("{count} entries"),
        };
        let same_number = before.len() == after.len();
        found.0.push(SettingDiff {
            field,
            before: entries(before),
            after: if same_number {
                entries(after) + CHANGED
            } else {
                entries(after)
            },
        });
    }
}
