//! The load-balancing policy of a cluster from its classic fields (`lb_policy` and its settings).

use alloc::format;

use spillgate_core::model::{
    HashFunction, LeastRequestConfig, LocalityLb, MaglevConfig, Policy, RingHashConfig,
};

use super::{
    hash_table::{classic_hashing, read_maglev, read_ring},
    locality_lb::{classic_locality_lb, note_zones_of_hash_policy},
    read_policy::{LbPolicy, PolicyContext, ReadPolicy},
    subset::classic_subsets,
    tuning::{read_least_request, read_slow_start},
};
use crate::{
    envoy::{
        facts::FieldPlace,
        marks::ClusterMarks,
        schema::{LEGACY_LEAST_REQUEST, LEGACY_MAGLEV, LEGACY_RING_HASH, LEGACY_ROUND_ROBIN},
    },
    proto::{Message, Report},
};

const LEGACY_HASH_FUNCTION: [(&str, i64, HashFunction); 2] = [
    ("XX_HASH", 0, HashFunction::XxHash),
    ("MURMUR_HASH_2", 1, HashFunction::MurmurHash2),
];

/// The settings of the policies (at most one per cluster), and their policies.
const CONFIGS: [(&str, LbPolicy); 5] = [
    ("ring_hash_lb_config", LbPolicy::RingHash),
    ("maglev_lb_config", LbPolicy::Maglev),
    ("original_dst_lb_config", LbPolicy::ClusterProvided),
    ("least_request_lb_config", LbPolicy::LeastRequest),
    ("round_robin_lb_config", LbPolicy::RoundRobin),
];

/// Reads the settings of `lb_policy` and the subsets.
pub(crate) fn read_policy(
    cluster: &Message<'_, '_>,
    lb_policy: LbPolicy,
    context: &PolicyContext<'_, '_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> ReadPolicy {
    let common = context.common;
    if let Some(facts) = marks.facts() {
        let lb_policy = FieldPlace::of_field(cluster, "lb_policy");
        facts.policy.place = lb_policy.unwrap_or_else(|| facts.place.field("lb_policy"));
        let mut settings = CONFIGS.iter();
        let settings = settings.find_map(|(config, _)| FieldPlace::of_field(cluster, config));
        facts.policy.settings = settings.unwrap_or_else(|| facts.place.clone());
    }
    for (config, of) in CONFIGS {
        if cluster.has(config) && of != lb_policy {
            let why = format!("{config} has no effect with this lb_policy");
            let path = cluster.path.field(config);
            report.note("config/no-effect", why, &path, cluster.position_of(config));
        }
    }
    cluster.one_of(&CONFIGS.map(|(config, _)| config), report);
    // Always opened, so that unknown fields in them are reported.
    let ring = cluster.message("ring_hash_lb_config", &LEGACY_RING_HASH, report);
    let maglev = cluster.message("maglev_lb_config", &LEGACY_MAGLEV, report);
    let round_robin = cluster.message("round_robin_lb_config", &LEGACY_ROUND_ROBIN, report);
    let least = cluster.message("least_request_lb_config", &LEGACY_LEAST_REQUEST, report);
    let mut read = ReadPolicy::default();
    if let Some(common) = common {
        read.locality_lb = classic_locality_lb(common, marks, report);
        read = read.hashing(classic_hashing(common, marks, report));
    }
    let mut slow_start = None;
    match lb_policy {
        LbPolicy::RoundRobin => slow_start = round_robin,
        LbPolicy::ClusterProvided => read.provided = true,
        LbPolicy::Extension => {}
        LbPolicy::Random => read.policy = Policy::Random,
        LbPolicy::LeastRequest => {
            read.policy = match &least {
                Some(least) => read_least_request(least, report),
                None => Policy::LeastRequest(LeastRequestConfig::default()),
            };
            slow_start = least;
        }
        LbPolicy::RingHash => {
            read.policy = match &ring {
                Some(ring) => read_ring(ring, &LEGACY_HASH_FUNCTION, report).unwrap_or_default(),
                None => Policy::RingHash(RingHashConfig::default()),
            }
        }
        LbPolicy::Maglev => {
            read.policy = match &maglev {
                Some(maglev) => read_maglev(maglev, report).unwrap_or_default(),
                None => Policy::Maglev(MaglevConfig::default()),
            }
        }
    }
    if let Some(message) = &slow_start {
        read.slow_start = read_slow_start(message, marks, report);
    }
    if let (true, Some(common)) = (read.policy.hashes(), common) {
        note_zones_of_hash_policy(common, report);
        // The model has no place for settings that hash policies ignore.
        if !read.locality_lb.is_weighted() {
            read.locality_lb = LocalityLb::default();
        }
    }
    read.subsets = classic_subsets(cluster, lb_policy, context.discovery, common, marks, report);
    read
}
