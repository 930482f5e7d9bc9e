//! Settings that Kuma accepts and that have no effect, or another one than expected.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::super::{
    KumaAffinityTag, KumaConf, KumaCrossZone, KumaFailover, KumaLocalityAwareness, KumaThreshold,
    MOST_UNWEIGHTED_TAGS,
};
use crate::{MOST_PRIORITY, MeshFault, MeshFaultCode, paths::Place};

/// Warnings about one configuration, with paths below `default`. `zones` are the known zones; an
/// empty set skips the check of zone names.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::*;
///
/// let awareness = KumaLocalityAwareness::default();
/// let conf = KumaConf {
///     locality_awareness: Some(awareness),
///     ..KumaConf::default()
/// };
/// let found = kuma_warnings(&conf, &Default::default());
/// assert_eq!(found[0].code.name(), "empty_locality_awareness");
/// ```
#[must_use]
pub fn kuma_warnings(conf: &KumaConf, zones: &BTreeSet<String>) -> Vec<MeshFault> {
    let mut faults = Vec::new();
    if let Some(locality) = &conf.locality_awareness {
        let mut root = Place::root(&mut faults);
        check(locality, zones, &mut root.field("localityAwareness"));
    }
    faults
}

fn check(locality: &KumaLocalityAwareness, zones: &BTreeSet<String>, place: &mut Place<'_>) {
    let blocks = locality.local_zone.is_some() || locality.cross_zone.is_some();
    let disabled = locality.disabled == Some(true);
    place
        .field("disabled")
        .fault_if(disabled && blocks, MeshFaultCode::DisabledIgnored);
    place.fault_if(!disabled && !blocks, MeshFaultCode::EmptyLocalityAwareness);
    let tags = locality.local_zone.as_ref();
    if let Some(tags) = tags.and_then(|zone| zone.affinity_tags.as_deref()) {
        check_tags(tags, &mut place.field("localZone").field("affinityTags"));
    }
    if let Some(cross) = &locality.cross_zone {
        check_cross_zone(cross, zones, &mut place.field("crossZone"));
    }
}

fn check_tags(tags: &[KumaAffinityTag], place: &mut Place<'_>) {
    let mut keys = BTreeSet::new();
    for (index, tag) in tags.iter().enumerate() {
        let repeated = !keys.insert(&tag.key);
        place
            .entry(index)
            .field("key")
            .fault_if(repeated, MeshFaultCode::DuplicateKey);
    }
    let unweighted = tags.iter().any(|tag| tag.weight.is_none());
    place.fault_if(
        unweighted && tags.len() > MOST_UNWEIGHTED_TAGS,
        MeshFaultCode::TooManyUnweightedTags,
    );
    // The endpoints without a tag have weight 1.
    let weights = tags.iter().filter_map(|tag| tag.weight);
    let sum = weights.fold(1_i64, i64::saturating_add);
    place.fault_if(sum > i64::from(u32::MAX), MeshFaultCode::WeightSumTooLarge);
}

fn check_cross_zone(cross: &KumaCrossZone, zones: &BTreeSet<String>, place: &mut Place<'_>) {
    let mut failover = place.field("failover");
    let count = cross.failover.as_ref().map_or(0, Vec::len);
    failover.fault_if(count > MOST_PRIORITY as usize, MeshFaultCode::TooManyRules);
    let mut earlier = EarlierRules::default();
    let rules = cross.failover.as_deref().unwrap_or_default();
    for (index, rule) in rules.iter().enumerate() {
        let mut place = failover.entry(index);
        check_names(rule, zones, &mut place);
        if rule.to.kind == "None" {
            // At the end of the list it changes nothing in any reading.
            let later = rules.iter().skip(index + 1);
            let applies = later
                .filter(|later| later.to.kind != "None")
                .any(|later| share_proxies(rule, later));
            let mut to = place.field("to");
            to.field("type")
                .fault_if(applies, MeshFaultCode::NoneHasNoEffect);
            continue;
        }
        earlier.check(rule, &mut place);
    }
    let threshold = cross.failover_threshold.as_ref().map(KumaThreshold::new);
    if let Some(Ok(threshold)) = threshold {
        let truncated = threshold.kuma_factor() != threshold.intended_factor();
        let mut place = place.field("failoverThreshold");
        place
            .field("percentage")
            .fault_if(truncated, MeshFaultCode::ThresholdTruncated);
    }
}

/// Empty and unknown zone names, and a rule that only takes the zone of its own proxies.
fn check_names(rule: &KumaFailover, zones: &BTreeSet<String>, place: &mut Place<'_>) {
    let lists = [("from", &rule.from_zones), ("to", &rule.to.zones)];
    for (field, list) in lists {
        let mut part = place.field(field);
        let mut names = part.field("zones");
        for (index, zone) in list.iter().flatten().enumerate() {
            let mut entry = names.entry(index);
            if zone.is_empty() {
                // An empty name in `from` is an error.
                entry.fault_if(field == "to", MeshFaultCode::EmptyZoneName);
            } else if !zones.is_empty() && !zones.contains(zone) {
                entry.fault(MeshFaultCode::UnknownZone);
            }
        }
    }
    if let (Some([from]), "Only", Some([to])) = (
        rule.from_zones.as_deref(),
        rule.to.kind.as_str(),
        rule.to.zones.as_deref(),
    ) {
        place
            .field("to")
            .field("zones")
            .fault_if(from == to, MeshFaultCode::OwnZone);
    }
}

/// Whether proxies of some zone use both rules.
fn share_proxies(one: &KumaFailover, other: &KumaFailover) -> bool {
    match (&one.from_zones, &other.from_zones) {
        (Some(one), Some(other)) => one.iter().any(|zone| other.contains(zone)),
        (None, _) | (_, None) => true,
    }
}

/// What the rules so far take.
#[derive(Default)]
struct EarlierRules<'a> {
    /// By rules for all proxies.
    everywhere: Taken<'a>,
    /// By rules for proxies in some zones.
    by_zone: BTreeMap<&'a str, Taken<'a>>,
}

/// The zones that are taken: these, and all others except some.
#[derive(Default)]
struct Taken<'a> {
    zones: BTreeSet<&'a str>,
    all_except: Option<BTreeSet<&'a str>>,
}

// === impl EarlierRules ===

impl<'a> EarlierRules<'a> {
    /// Checks a rule against the earlier ones, then adds it.
    fn check(&mut self, rule: &'a KumaFailover, place: &mut Place<'_>) {
        let kind = rule.to.kind.as_str();
        let from = rule.from_zones.as_deref();
        let zones = || rule.to.zones.iter().flatten().map(String::as_str);
        let only: Vec<&str> = match kind {
            "Only" => zones().collect(),
            _ => Vec::new(),
        };
        let taken: Vec<bool> = only.iter().map(|zone| self.takes(from, zone)).collect();
        let nothing_left = !taken.is_empty() && taken.iter().all(|taken| *taken);
        if self.takes_all(from) || nothing_left {
            place.fault(MeshFaultCode::UnreachableRule);
        } else {
            let mut to = place.field("to");
            let mut zones = to.field("zones");
            for (index, taken) in taken.into_iter().enumerate() {
                let mut entry = zones.entry(index);
                entry.fault_if(taken, MeshFaultCode::ZoneTakenByEarlierRule);
            }
        }
        let add = |taken: &mut Taken<'a>| match kind {
            "Any" => taken.all_but(BTreeSet::new()),
            "AnyExcept" => taken.all_but(zones().collect()),
            _ => taken.zones.extend(only.iter().copied()),
        };
        match from {
            None => add(&mut self.everywhere),
            Some(from) => {
                for zone in from {
                    add(self.by_zone.entry(zone).or_default());
                }
            }
        }
    }

    /// Whether every proxy of the rule has earlier rules that take every zone.
    fn takes_all(&self, from: Option<&[String]>) -> bool {
        self.everywhere.is_all() || self.all_of(from, Taken::is_all)
    }

    /// Whether every proxy of the rule has an earlier rule that takes this zone.
    fn takes(&self, from: Option<&[String]>, zone: &str) -> bool {
        self.everywhere.takes(zone) || self.all_of(from, |taken| taken.takes(zone))
    }

    fn all_of(&self, from: Option<&[String]>, condition: impl Fn(&Taken<'a>) -> bool) -> bool {
        from.is_some_and(|zones| {
            !zones.is_empty()
                && zones
                    .iter()
                    .all(|zone| self.by_zone.get(zone.as_str()).is_some_and(&condition))
        })
    }
}

// === impl Taken ===

impl<'a> Taken<'a> {
    fn all_but(&mut self, except: BTreeSet<&'a str>) {
        self.all_except = Some(match self.all_except.take() {
            Some(before) => before.intersection(&except).copied().collect(),
            None => except,
        });
    }

    fn takes(&self, zone: &str) -> bool {
        let rest = self.all_except.as_ref();
        self.zones.contains(zone) || rest.is_some_and(|except| !except.contains(zone))
    }

    fn is_all(&self) -> bool {
        let rest = self.all_except.as_ref();
        rest.is_some_and(|except| except.is_subset(&self.zones))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::super::{KumaFailoverTo, KumaNumber};
    use super::*;

    fn rule(from: &[&str], kind: &str, zones: &[&str]) -> KumaFailover {
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|&n| n.into()).collect() };
        KumaFailover {
            from_zones: (!from.is_empty()).then(|| names(from)),
            to: KumaFailoverTo {
                kind: kind.into(),
                zones: (!zones.is_empty()).then(|| names(zones)),
            },
        }
    }

    fn found(failover: Vec<KumaFailover>) -> Vec<(String, &'static str)> {
        let conf = KumaConf {
            locality_awareness: Some(KumaLocalityAwareness {
                cross_zone: Some(KumaCrossZone {
                    failover: Some(failover),
                    failover_threshold: Some(KumaNumber::Integer(50)),
                }),
                ..KumaLocalityAwareness::default()
            }),
            ..KumaConf::default()
        };
        let zones = ["a", "b", "c", "d"].map(String::from).into();
        let prefix = "localityAwareness.crossZone.failover";
        let faults = kuma_warnings(&conf, &zones).into_iter();
        let short = |path: &str| path.strip_prefix(prefix).unwrap().into();
        faults
            .map(|fault| (short(&fault.path), fault.code.name()))
            .collect()
    }

    #[test]
    fn a_list_without_overlap_has_no_warnings() {
        let rules = vec![
            rule(&["a", "b"], "Only", &["a", "b"]),
            rule(&["c"], "AnyExcept", &["d"]),
            rule(&[], "Any", &[]),
        ];
        assert_eq!(found(rules), []);
    }

    #[test]
    fn rules_after_any_are_unreachable() {
        let rules = vec![
            rule(&["a"], "Any", &[]),
            rule(&["a"], "Only", &["b"]),
            rule(&["a", "b"], "Only", &["c"]),
            rule(&[], "Any", &[]),
            rule(&["d"], "Any", &[]),
        ];
        let unreachable = "unreachable_rule";
        assert_eq!(
            found(rules),
            [("[1]".into(), unreachable), ("[4]".into(), unreachable)]
        );
    }

    #[test]
    fn zones_are_taken_once() {
        let rules = vec![
            rule(&[], "AnyExcept", &["c", "d"]),
            rule(&[], "Only", &["b", "c"]),
            rule(&[], "Only", &["a"]),
            rule(&[], "Only", &["d"]),
            rule(&[], "Any", &[]),
        ];
        assert_eq!(
            found(rules),
            [
                ("[1].to.zones[0]".into(), "zone_taken_by_earlier_rule"),
                ("[2]".into(), "unreachable_rule"),
                ("[4]".into(), "unreachable_rule"),
            ]
        );
    }

    #[test]
    fn envoy_accepts_128_priorities_after_the_first() {
        let first = |count| found(vec![rule(&[], "Only", &["b"]); count]).remove(0);
        assert_eq!(first(129), (String::new(), "too_many_rules"));
        assert_eq!(first(128), ("[1]".into(), "unreachable_rule"));
    }

    #[test]
    fn names_and_types_are_checked() {
        let rules = vec![
            rule(&["a"], "Only", &["a"]),
            rule(&[], "None", &[]),
            rule(&["x"], "Only", &["", "b"]),
            rule(&["y"], "None", &[]),
            rule(&[], "None", &[]),
        ];
        assert_eq!(
            found(rules),
            [
                ("[0].to.zones".into(), "own_zone"),
                ("[1].to.type".into(), "none_has_no_effect"),
                ("[2].from.zones[0]".into(), "unknown_zone"),
                ("[2].to.zones[0]".into(), "empty_zone_name"),
                ("[3].from.zones[0]".into(), "unknown_zone"),
            ]
        );
    }
}
