//! A step as a sentence.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_core::{
    load::HostClass,
    model::ChainHosts,
    route::{PathMatch, SplitBy},
    snapshot::Snapshot,
    subset::{SetChoice, SubsetReason},
    trace::{
        ChainStepOutcome, ChainStepTried, ChosenBy, DrawnFraction, EmptyTable, HostChoice,
        LocalityRule, MemberChoice, NumberSource, OverrideTarget, PriorityChoice, RequestChanger,
        RetriedCluster, RetryExclusion, StepData, WeightedChoice,
    },
};

use super::session;
use crate::{cluster_name, host_address};

/// The result of a step in words.
#[must_use]
pub fn sentence(snapshot: &Snapshot, step: &StepData) -> String {
    match step {
        StepData::NoRoute {
            virtual_host: Some(name),
            ..
        } => format!("no route of virtual host {name} matches"),
        StepData::NoRoute { domain, .. } => format!("no virtual host has the domain {domain}"),
        StepData::RouteMatched {
            virtual_host,
            route,
            path,
            conditions,
            fraction,
        } => {
            let space = if route.is_empty() { "" } else { " " };
            let conditions = match conditions {
                0 => String::new(),
                1 => " and one more condition".into(),
                more => format!(" and {more} more conditions"),
            };
            format!(
                "virtual host {virtual_host}, route{space}{route} with {}{conditions}{}",
                path_match(path),
                fraction.as_ref().map_or_else(String::new, drawn)
            )
        }
        StepData::NotModeled { field } => {
            format!("{field} is not modeled: Envoy's decision is unknown")
        }
        StepData::HeaderChanged {
            name,
            before,
            after,
            by,
        } => {
            let by = match by {
                RequestChanger::ConnectionManager => "the connection manager",
                RequestChanger::Route => "the route or a filter before it",
            };
            match (before, after) {
                (None, Some(after)) => format!("{by} adds the header {name}: {after}"),
                (Some(before), Some(after)) => {
                    format!("{by} changes {name} from {before} to {after}")
                }
                (_, None) => format!("{by} removes the header {name}"),
            }
        }
        StepData::HeaderCluster { cluster, header } => {
            format!("{cluster}, named by the header {header}")
        }
        StepData::SpecifiedCluster { cluster } => {
            format!("{cluster}, named by the cluster specifier")
        }
        StepData::MatchedCluster { cluster, headers } => {
            let by = match headers.as_slice() {
                [] => "the cluster matcher".into(),
                names => format!("the cluster matcher, which reads {}", names.join(", ")),
            };
            match cluster.as_str() {
                "" => format!("no cluster: no match in {by}"),
                cluster => format!("{cluster}, chosen by {by}"),
            }
        }
        StepData::WeightedCluster(choice) => weighted(choice),
        StepData::Routed { cluster, hash } => {
            let with = if hash.is_some() { "with" } else { "without" };
            let name = cluster_name(snapshot, *cluster);
            format!("cluster {name}, {with} a request hash")
        }
        StepData::Criteria(criteria) => format!("hosts with {criteria}"),
        StepData::ClusterHash { hash: Some(_) } => {
            "the hash policy of the load-balancing policy makes the request hash".into()
        }
        StepData::ClusterHash { hash: None } => {
            "the hash policy of the load-balancing policy makes no request hash".into()
        }
        StepData::Dropped { .. } => "dropped by drop_overloads before host selection".into(),
        StepData::ChainStep(tried) => chain_step(tried),
        StepData::Subset {
            kept: Some(kept),
            choice,
            reason,
            ..
        } => format!("{}; KEYS_SUBSET keeps {kept}", subset(*choice, *reason)),
        StepData::Subset { choice, reason, .. } => subset(*choice, *reason),
        StepData::NoSubset {
            kept: Some(kept), ..
        } => format!(
            "KEYS_SUBSET keeps {kept}: no subset matches these criteria, and no fallback policy applies"
        ),
        StepData::NoSubset { .. } => {
            "no subset matches the criteria, and no fallback policy applies".into()
        }
        StepData::Member(choice) => member(snapshot, choice),
        StepData::CompositeMember { member, attempt } => format!(
            "attempt {} of a composite cluster asks its member {}",
            attempt.saturating_add(1),
            cluster_name(snapshot, *member)
        ),
        StepData::Priority(choice) => priority(choice),
        StepData::Locality(choice) => match &choice.locality {
            Some(locality) => format!("locality {locality}: {}", locality_rule(choice.rule)),
            None => format!("hosts of all localities: {}", locality_rule(choice.rule)),
        },
        StepData::Host(choice) => host(snapshot, choice),
        StepData::Rejected(host) => format!(
            "{} is rejected by a retry host predicate",
            host_address(snapshot, *host)
        ),
        StepData::NoSession { carrier, reading } => session::unread(carrier, reading),
        StepData::SessionHost(found) => session::host(snapshot, found),
        StepData::Affinity { host, moved } => session::affinity(snapshot, *host, *moved),
        StepData::OverrideHosts { host, .. } => match host {
            Some(host) => format!(
                "{} is the first known host of the override host list, regardless of health",
                host_address(snapshot, *host)
            ),
            None => "no host of the override host list is known: the fallback policy \
                     chooses"
                .into(),
        },
        StepData::OverrideHost(named) => {
            let by = match named {
                OverrideTarget::Session(_) => "its session",
                OverrideTarget::Listed(_) => "the override host list",
            };
            format!("{} by {by}", host_address(snapshot, named.host()))
        }
        // A step that is newer than this text.
        _ => String::new(),
    }
}

/// The condition of a route on the path, such as `prefix "/cart"`.
#[must_use]
pub fn path_match(path: &PathMatch) -> String {
    match path {
        PathMatch::Prefix(prefix) => format!("prefix {}", quoted(prefix)),
        PathMatch::Exact(path) => format!("path {}", quoted(path)),
        PathMatch::PathSeparatedPrefix(prefix) => {
            format!("path-separated prefix {}", quoted(prefix))
        }
        PathMatch::Regex(pattern) => format!("regex {}", quoted(pattern.source())),
        PathMatch::Unmodeled => "a path match that is not modeled".into(),
    }
}

fn weighted(choice: &WeightedChoice) -> String {
    let cluster = &choice.cluster;
    match choice.retry {
        None => {}
        Some(RetriedCluster::Kept) => {
            return format!("{cluster}, the weighted cluster of the earlier attempts");
        }
        Some(RetriedCluster::Refreshed) => {
            return format!("{cluster}, another weighted cluster for the retry");
        }
    }
    let how = match (choice.roll, &choice.by) {
        (Some(_), _) | (None, SplitBy::Random) => "at random".into(),
        (None, SplitBy::Header(name)) => format!("by the number in the header {name}"),
        (None, SplitBy::HashPolicy) => "by the request hash".into(),
    };
    format!("{cluster}, a weighted cluster chosen {how}")
}

fn chain_step(tried: &ChainStepTried) -> String {
    let hosts = match &tried.step.hosts {
        ChainHosts::Keys(keys) => keys.join(", "),
        ChainHosts::Match(values) => format!("{values}"),
        ChainHosts::Any => "any host".into(),
    };
    let why = match tried.outcome {
        ChainStepOutcome::Skipped => "skipped, the request lacks a key",
        ChainStepOutcome::NoHost => "no host matches",
        ChainStepOutcome::BelowMinimum => "too few healthy hosts",
        ChainStepOutcome::Serves => "enough healthy hosts",
        ChainStepOutcome::LastResort => "the last resort",
    };
    let serves = matches!(
        tried.outcome,
        ChainStepOutcome::Serves | ChainStepOutcome::LastResort
    );
    let retry = if serves && tried.step.retry_next_step {
        "; retries go on to the next step"
    } else {
        ""
    };
    format!("step {} ({hosts}): {why}{retry}", tried.at)
}

fn subset(choice: SetChoice, reason: SubsetReason) -> String {
    let hosts = match choice {
        SetChoice::Whole => "all hosts",
        SetChoice::Set(_) => "a subset",
        SetChoice::Host { .. } => "a subset of one host",
        SetChoice::Step { .. } => "the hosts of a step",
    };
    let why = match reason {
        SubsetReason::Selected => "selected by the criteria",
        SubsetReason::SelectorFallback => "fallback policy of the subset selector",
        SubsetReason::Fallback => "fallback policy of the cluster",
        SubsetReason::PanicModeAny => "the fallback has no host (panic_mode_any)",
        SubsetReason::Step => "first step with enough healthy hosts",
        SubsetReason::LastResort => "last resort",
    };
    format!("{hosts}: {why}")
}

fn member(snapshot: &Snapshot, choice: &MemberChoice) -> String {
    let Some(chosen) = choice.chosen else {
        return "no member has a host".into();
    };
    let by = match choice.roll_from {
        NumberSource::RequestHash => ", by the request hash",
        NumberSource::SessionKey => ", by the session key",
        NumberSource::Random => "",
    };
    let name = cluster_name(snapshot, chosen.cluster);
    let retry = without(choice.retry.as_ref(), "line ");
    format!("{name} P{}{by}{retry}", chosen.priority)
}

/// The priorities that a retry avoids.
fn without(retry: Option<&RetryExclusion>, name: &str) -> String {
    let Some(retry) = retry else {
        return String::new();
    };
    if retry.reset {
        return "; the retry may use every priority again, because no other one is available"
            .into();
    }
    let excluded: Vec<String> = retry.priorities().map(|at| format!("{name}{at}")).collect();
    match excluded.as_slice() {
        [] => String::new(),
        excluded => format!(
            "; the retry avoids {} (previous_priorities)",
            excluded.join(", ")
        ),
    }
}

fn priority(choice: &PriorityChoice) -> String {
    let class = match choice.class {
        HostClass::Healthy => "healthy",
        HostClass::Degraded => "degraded",
    };
    let number = choice.priority;
    let what = match (choice.panic, choice.by_aggregate) {
        (true, _) if choice.fails_on_panic => {
            format!("P{number}, in panic mode: its requests fail")
        }
        (true, _) => format!("P{number}, in panic mode: all its hosts"),
        (false, true) => format!("P{number}, {class} hosts, chosen by the aggregate"),
        (false, false) => format!("P{number}, {class} hosts"),
    };
    what + &without(choice.retry.as_ref(), "P")
}

const fn locality_rule(rule: LocalityRule) -> &'static str {
    match rule {
        LocalityRule::Weights => "by locality weights",
        LocalityRule::TableWeights => {
            "the host of the hash table, which has the configured locality weights whatever the health"
        }
        LocalityRule::NoWeight => "no locality has a weight",
        LocalityRule::SessionKey => "a session key chooses among them",
        LocalityRule::NotEnabled => "routing_enabled excludes this request from zone-aware routing",
        LocalityRule::NotEnabledOrEmpty => {
            "routing_enabled excludes this request, or the chosen zone has no such host"
        }
        LocalityRule::EmptyZone => "the chosen zone has no such host",
        LocalityRule::LocalPanic => "the local cluster is in panic mode",
        LocalityRule::TooFewLocalities => "too few localities for zone-aware routing",
        LocalityRule::NoLocalHost => "the local cluster has no host in this zone",
        LocalityRule::TooFewHosts => "too few healthy hosts for zone-aware routing",
        LocalityRule::AllLocal => "the local zone has capacity for all its requests",
        LocalityRule::PartlyLocal => "the local zone has capacity for a part of its requests",
    }
}

fn host(snapshot: &Snapshot, choice: &HostChoice) -> String {
    let by = match choice.by {
        ChosenBy::Policy(name) => name,
        ChosenBy::SessionKey => "rendezvous hashing of the session key",
    };
    match choice.host {
        Some(host) => format!("{} by {by}", host_address(snapshot, host)),
        None if choice.empty_table == Some(EmptyTable::RingSizeZero) => {
            format!("no host: the ring of {by} is empty, because minimum_ring_size is 0")
        }
        None if choice.empty_table == Some(EmptyTable::NoLocalityWeight) => format!(
            "no host: the table of {by} is empty, because locality weights are on and no locality with \
             usable hosts has one"
        ),
        None => format!("no host for {by} to choose from"),
    }
}

/// The fraction of a route that the number of the request fulfills.
fn drawn(of: &DrawnFraction) -> String {
    let (numerator, denominator) = (of.share.numerator, of.share.denominator.number());
    format!(
        ", for random numbers below {numerator} of {denominator} (here {})",
        of.number
    )
}
