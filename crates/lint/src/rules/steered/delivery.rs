//! Decisions that no policy reads.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::{FilterKind, HostDelivery, SessionCarrierFacts, SpillgateFacts},
    filter::FilterForm,
};
use spillgate_core::{
    model::{NAMESPACE, OverrideHostSource},
    route::{HeaderMutation, HeaderRule, RequestFilter, RuleSource, ValueType},
};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    rules::affinity::host_list::{chosen_clusters, is_open},
    sink::Sink,
    ways::{Steering, Way},
};

/// The Wasm filter writes its decision into request headers, and nothing passes them on to the policy of a
/// cluster: no filter after it moves the host list into the metadata that `override_host` reads, or no
/// policy reads it. In output mode `stateful_session` the session filter takes this role, and in
/// `subset_headers` the metadata `envoy.lb`.
///
/// All requests get 503 if the cluster is isolated, and otherwise reach any host.
pub(crate) static UNREAD: Rule = Rule {
    id: "steered-list-unread",
    severity: Severity::Error,
    summary: "no policy reads the hosts that the Spillgate filter chooses",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(Steering { at, place, ours }) = way.steering() else {
            continue;
        };
        if ours.form == FilterForm::DynamicModule || sink.has(&place.path) {
            continue;
        }
        let passing = Passing::behind(way, at, ours);
        if passing.is_unknown() {
            continue;
        }
        let can_own = |name: &str| ours.steering.owners.iter().any(|(own, _)| own == name);
        let clusters = chosen_clusters(context, way, ours);
        for cluster in clusters.filter(|cluster| can_own(cluster.name())) {
            if let Some(cause) = passing.unread(&cluster) {
                let (severity, effect) = effect(&cluster, ours);
                let fix = passing.fix();
                sink.add(place, cause, effect, fix).severity = severity;
                break;
            }
        }
    }
}

/// What requests get whose list is not read.
fn effect(cluster: &Plain<'_>, ours: &SpillgateFacts) -> (Severity, &'static str) {
    match (is_open(cluster), ours.restriction) {
        (false, _) => (
            Severity::Error,
            "all requests get 503, because only hosts of the list may serve",
        ),
        (true, Some(_)) => (
            Severity::Error,
            "all requests reach any host of the cluster, without regard to criteria and sessions",
        ),
        (true, None) => (
            Severity::Warning,
            "Envoy chooses the hosts itself, and the filter has no effect",
        ),
    }
}

/// The filters behind a Spillgate filter.
struct Passing<'w, 'c> {
    way: &'w Way<'c>,
    at: usize,
    ours: &'c SpillgateFacts,
    /// Those that act on metadata, sessions and headers.
    after: &'c [RequestFilter],
}

impl<'w, 'c> Passing<'w, 'c> {
    fn behind(way: &'w Way<'c>, at: usize, ours: &'c SpillgateFacts) -> Self {
        let is_ours = |filter: &RequestFilter| matches!(filter, RequestFilter::Spillgate(_));
        let last = way.filters.iter().rposition(is_ours);
        let after = last.and_then(|last| way.filters.get(last + 1..));
        Self {
            way,
            at,
            ours,
            after: after.unwrap_or_default(),
        }
    }

    fn header(&self) -> &'c str {
        &self.ours.steering.output.host_header
    }

    /// Whether a filter of which the effect is unknown may pass the list on.
    fn is_unknown(&self) -> bool {
        let mut later = self.way.active_filters().filter(|(at, _)| *at > self.at);
        later.any(|(_, kind)| match kind {
            FilterKind::Other { opaque, words } => *opaque || words.contains(self.header()),
            _ => false,
        })
    }

    /// Why nothing reads the decision in a cluster.
    fn unread(&self, cluster: &Plain<'_>) -> Option<String> {
        let (name, header) = (cluster.name(), self.header());
        match self.ours.delivery {
            HostDelivery::List(_) => {
                let sources = &cluster.plain.override_hosts;
                if sources.is_empty() {
                    // Another rule reports a policy that is not the outermost.
                    return cluster.facts.policy.overrides.is_empty().then(|| {
                        format!(
                            "cluster {} has no override_host policy that reads {header}",
                            quoted(name)
                        )
                    });
                }
                if sources.iter().any(|source| self.fills(source)) {
                    return None;
                }
                Some(format!(
                    "cluster {} reads its hosts from {}, and no filter after the Spillgate filter moves {header} there",
                    quoted(name),
                    read_from(sources)
                ))
            }
            HostDelivery::Session => {
                let session = self.way.route.session.as_ref();
                let reads = session.is_some_and(|session| {
                    matches!(&session.carrier, SessionCarrierFacts::Header(name) if name == header)
                });
                let mut later = self.way.active_filters().filter(|(at, _)| *at > self.at);
                let is_behind = later.any(|(_, kind)| matches!(kind, FilterKind::Session(_)));
                (!(reads && is_behind)).then(|| {
                    format!("no stateful_session filter after the Spillgate filter reads {header}")
                })
            }
            HostDelivery::Subset => {
                let mut headers = self.ours.steering.output.subset_headers.iter();
                let (key, header) =
                    headers.find(|(key, header)| !self.moves(header, NAMESPACE, key))?;
                Some(format!(
                    "no filter after the Spillgate filter moves {header} to metadata {NAMESPACE}, key {}",
                    quoted(key)
                ))
            }
        }
    }

    /// Whether the decision is in this source when the policy reads it.
    fn fills(&self, source: &OverrideHostSource) -> bool {
        match source {
            OverrideHostSource::Header(name) => {
                name == self.header()
                    && !self.way.removes(name)
                    && !self.after.iter().any(|filter| removes(filter, name))
            }
            OverrideHostSource::Metadata { namespace, path } => match path.as_slice() {
                [key] => self.moves(self.header(), namespace, key),
                _ => false,
            },
        }
    }

    /// Whether a header becomes a text in the metadata.
    fn moves(&self, header: &str, namespace: &str, key: &str) -> bool {
        let moves = |rule: &HeaderRule| {
            let source = matches!(&rule.source, RuleSource::Header { name, .. } if name == header);
            let value = rule.on_present.as_ref();
            source
                && value.is_some_and(|value| {
                    *value.namespace == *namespace
                        && *value.key == *key
                        && (value.value_type == ValueType::String || namespace == NAMESPACE)
                })
        };
        self.after.iter().any(|filter| match filter {
            RequestFilter::HeaderToMetadata(rules) => rules.iter().any(moves),
            _ => false,
        })
    }

    fn fix(&self) -> String {
        let header = self.header();
        match self.ours.delivery {
            HostDelivery::List(_) => format!(
                "add header_to_metadata after the filter: {header} to namespace spillgate, key host, with \
                 remove: true; and override_host with this metadata on the cluster"
            ),
            HostDelivery::Session => {
                format!("add stateful_session with header state {header} after the filter")
            }
            HostDelivery::Subset => String::from(
                "add header_to_metadata after the filter, from each header of output.subset_headers to envoy.lb",
            ),
        }
    }
}

/// Whether a filter removes a header.
fn removes(filter: &RequestFilter, header: &str) -> bool {
    match filter {
        RequestFilter::HeaderToMetadata(rules) => rules.iter().any(
            |rule| matches!(&rule.source, RuleSource::Header { name, remove: true } if name == header),
        ),
        RequestFilter::HeaderMutation(steps) => steps
            .iter()
            .any(|step| matches!(step, HeaderMutation::Remove(name) if name == header)),
        _ => false,
    }
}

/// The first source of a policy, in messages.
fn read_from(sources: &[OverrideHostSource]) -> String {
    match sources.first() {
        Some(OverrideHostSource::Metadata { namespace, path }) => {
            format!("metadata {namespace}, key {}", path.join("."))
        }
        Some(OverrideHostSource::Header(name)) => format!("header {name}"),
        None => String::new(),
    }
}
