//! `RouteConfiguration`: virtual hosts and their routes.
//!
//! Unsupported routes are kept: a warning names them, and a request that reaches one gets the
//! answer "unknown" with the field's name. So the rest of the configuration still has answers, and
//! nothing is guessed.

use alloc::{string::String, vec::Vec};

use spillgate_core::{
    model::NAMESPACE,
    names::Names,
    route::{
        HeaderMutations, PathMatch, Route, RouteAction, RouteMatch, RouteMetadata, RouteTable,
        VirtualHost,
    },
};

use super::{
    action::read_action,
    context::{ActionContext, ClusterNames},
    retry::{ReadRetry, read_retry},
};
use crate::{
    Diagnostic, DiagnosticSeverity,
    envoy::{
        RouteMarks,
        common::{namespace, read_struct},
        connection::ChainSecurity,
        facts::{FieldPlace, RouteFacts, removed_by},
        filters::{FilterChain, Overrides},
        headers::{MutatedPlace, read_header_mutations},
        matcher::{not_modeled, read_match, read_match_without_tls},
        schema::{METADATA, ROUTE, ROUTE_CONFIGURATION, ROUTE_MATCH, VIRTUAL_HOST},
    },
    node::{Node, NodeValue},
    proto::{Message, Path, Report},
};

/// Where a route configuration comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoutesFrom {
    /// `route_config` of the connection manager: Envoy refuses an unknown cluster.
    Listener,
    /// RDS: Envoy answers requests to an unknown cluster itself.
    Discovery,
}

/// Reads a route configuration behind these filters; the marks are in route order, and so are the
/// facts if lint reads the input.
pub(crate) fn read_routes(
    node: &Node<'_>,
    path: Path,
    clusters: ClusterNames<'_>,
    filters: &FilterChain,
    (from, security): (RoutesFrom, ChainSecurity),
    report: &mut Report,
) -> (RouteTable, Vec<RouteMarks>, Vec<RouteFacts>) {
    let mut reader = Reader {
        clusters,
        unknown_cluster: severity(from == RoutesFrom::Listener),
        security,
        filters,
        common: Overrides::new(),
        domains: Names::default(),
        table: RouteTable::default(),
        marks: Vec::new(),
        removed: Vec::new(),
        facts: Vec::new(),
    };
    if let Some(message) = Message::open(node, path, &ROUTE_CONFIGURATION, report) {
        reader.configuration(&message, report);
    }
    (reader.table, reader.marks, reader.facts)
}

/// The severity of an unknown cluster name, if Envoy validates names.
const fn severity(validates: bool) -> DiagnosticSeverity {
    if validates {
        DiagnosticSeverity::Error
    } else {
        DiagnosticSeverity::Warning
    }
}

struct Reader<'c> {
    clusters: ClusterNames<'c>,
    /// The severity of an unknown name (`validate_clusters`).
    unknown_cluster: DiagnosticSeverity,
    security: ChainSecurity,
    filters: &'c FilterChain,
    /// The filter overrides of the whole configuration.
    common: Overrides,
    /// The domains so far; each must be unique.
    domains: Names,
    table: RouteTable,
    marks: Vec<RouteMarks>,
    /// For lint: the request headers that the whole configuration removes.
    removed: Vec<String>,
    facts: Vec<RouteFacts>,
}

/// The settings of a virtual host that its routes inherit.
struct Inherited {
    retry: Option<ReadRetry>,
    overrides: Overrides,
    /// For lint: the request headers that it removes.
    removed: Vec<String>,
}

impl Reader<'_> {
    fn configuration(&mut self, message: &Message<'_, '_>, report: &mut Report) {
        if let Some(validates) = message.bool("validate_clusters", report) {
            self.unknown_cluster = severity(validates);
        }
        let mut flag = |field| message.bool(field, report).unwrap_or(false);
        self.table.ignore_port_in_host_matching = flag("ignore_port_in_host_matching");
        self.table.ignore_path_parameters_in_path_matching =
            flag("ignore_path_parameters_in_path_matching");
        self.table.most_specific_header_mutations_wins =
            flag("most_specific_header_mutations_wins");
        self.table.headers = read_header_mutations(message, MutatedPlace::Listener, report);
        let internal = message
            .strings("internal_only_headers", report)
            .into_iter()
            .filter_map(|node| match &node.value {
                NodeValue::String(name) => Some(name.to_ascii_lowercase()),
                _ => None,
            });
        self.table.internal_only_headers = internal.collect();
        self.common = self.filters.read_overrides(message, report);
        if report.is_judged() {
            self.removed = removed_by(message);
        }
        self.table.filters = self.filters.with(&[&self.common]);
        for (path, node) in message.list("virtual_hosts", report) {
            let domains = node.get("domains");
            report.at_conditions(domains, |report| self.virtual_host(node, path, report));
        }
    }

    fn virtual_host(&mut self, node: &Node<'_>, path: Path, report: &mut Report) {
        let Some(message) = Message::open(node, path, &VIRTUAL_HOST, report) else {
            return;
        };
        let name = message.required_string("name", report);
        let domains = self.domains(&message, report);
        let inherited = Inherited {
            retry: read_retry(&message, report),
            overrides: self.filters.read_overrides(&message, report),
            removed: if report.is_judged() {
                removed_by(&message)
            } else {
                Vec::new()
            },
        };
        let headers = read_header_mutations(&message, MutatedPlace::Listener, report);
        if message.bool("include_request_attempt_count", report) == Some(true) {
            let field = "include_request_attempt_count";
            #[cfg(feature = "unread")]
            report.note_text("VirtualHost", field, "");
            let effect = "the number of attempts in x-envoy-attempt-count is not modeled; requests \
                          that depend on it can go elsewhere";
            let (path, position) = (message.path.field(field), message.position_of(field));
            let code = "config/header-change-not-modeled";
            report.limit_if_read("x-envoy-attempt-count", code, effect, &path, position);
        }
        message.one_of(&["matcher", "routes"], report);
        let mut routes = Vec::new();
        if message.has("matcher") {
            report.within_route(self.marks.len(), |report| {
                not_modeled(&message, "matcher", "a virtual host with", report);
            });
            routes.push(Route {
                id: self.marks.len(),
                name: String::new(),
                matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
                action: RouteAction::Unmodeled("matcher"),
                filters: None,
                headers: HeaderMutations::default(),
                metadata: RouteMetadata::default(),
            });
            self.marks
                .push(RouteMarks::new(message.position_of("matcher")));
            if let (true, Some(place)) = (
                report.is_judged(),
                FieldPlace::of_field(&message, "matcher"),
            ) {
                self.add_facts(RouteFacts::new(place), &inherited, None);
            }
        }
        for (path, node) in message.list("routes", report) {
            let id = self.marks.len();
            routes.extend(report.at_conditions(node.get("match"), |report| {
                report.within_route(id, |report| self.route(node, path, &inherited, report))
            }));
        }
        if let Some(name) = name {
            self.table.virtual_hosts.push(VirtualHost {
                name: name.into(),
                domains,
                routes,
                headers,
            });
        }
    }

    fn domains(&mut self, message: &Message<'_, '_>, report: &mut Report) -> Vec<String> {
        let mut domains = Vec::new();
        for node in message.strings("domains", report) {
            let NodeValue::String(domain) = &node.value else {
                continue;
            };
            if !self.domains.add(&domain.to_ascii_lowercase()) {
                Diagnostic::error("config/duplicate-domain", "duplicate domain")
                    .at(message.path.field("domains").text(), node.position)
                    .found(node.describe())
                    .push_to(report);
            }
            domains.push(domain.as_ref().into());
        }
        if domains.is_empty() {
            message
                .error("domains", "config/missing", "virtual host without domains")
                .expected("a list such as [\"*\"]")
                .push_to(report);
        }
        domains
    }

    fn route(
        &mut self,
        node: &Node<'_>,
        path: Path,
        inherited: &Inherited,
        report: &mut Report,
    ) -> Option<Route> {
        let message = Message::open(node, path, &ROUTE, report)?;
        let name = message.string("name", report).unwrap_or_default();
        if !message.has("match") {
            report.push(message.error("match", "config/missing", "route without a match"));
        }
        let faults = report.errors();
        let mut matcher = message
            .message("match", &ROUTE_MATCH, report)
            .and_then(|matcher| match self.security {
                ChainSecurity::Plain => read_match_without_tls(&matcher, report),
                ChainSecurity::Tls | ChainSecurity::Unknown => read_match(&matcher, report),
            });
        if matcher.is_none() && report.errors() > faults {
            matcher = Some(RouteMatch::path(PathMatch::Prefix(String::new())));
        }
        let own = self.filters.read_overrides(&message, report);
        let of_host = &inherited.overrides;
        let priorities = [&own, of_host, &self.common];
        let context = ActionContext {
            clusters: self.clusters,
            unknown_cluster: self.unknown_cluster,
            filters: self.filters,
            priorities: &priorities,
        };
        let mut facts = if report.is_judged() {
            RouteFacts::of(&message, name)
        } else {
            RouteFacts::default()
        };
        let mut action = read_action(&message, &inherited.retry, &context, &mut facts, report);
        if report.is_accepted() && report.errors() > faults {
            // Without this route, its requests would get the result of a later one.
            action = Some(RouteAction::Unmodeled("an unreadable value"));
        }
        let filters =
            (!own.is_empty() || !of_host.is_empty()).then(|| self.filters.with(&priorities));
        let session = self.filters.session_position(&priorities);
        let route = Route {
            id: self.marks.len(),
            name: name.into(),
            matcher: matcher?,
            action: action?,
            filters,
            headers: read_header_mutations(&message, MutatedPlace::Route, report),
            metadata: self.metadata(&message, report),
        };
        let mut marks = RouteMarks::new(node.position);
        let forward = message.get("route");
        let inner = |field, json| {
            let node = forward.and_then(|node| node.get(field).or(node.get(json)));
            node.map(|node| node.position)
        };
        marks.hash_policy = inner("hash_policy", "hashPolicy");
        marks.metadata_match = inner("metadata_match", "metadataMatch");
        marks.weighted_clusters = inner("weighted_clusters", "weightedClusters");
        marks.retry_policy = inner("retry_policy", "retryPolicy");
        marks.session = session;
        marks.is_high_priority = facts.high_priority;
        marks.retry_time = core::mem::take(&mut facts.retry_time);
        #[cfg(feature = "yaml")]
        {
            marks.answer = super::answer_text::answer_text(&message);
        }
        self.marks.push(marks);
        if report.is_judged() {
            facts.removed = removed_by(&message);
            self.add_facts(facts, inherited, Some(&own));
        }
        Some(route)
    }

    /// Completes the facts of a route with what it inherits.
    fn add_facts(&mut self, mut facts: RouteFacts, of_host: &Inherited, own: Option<&Overrides>) {
        facts.removed.extend(self.removed.iter().cloned());
        facts.removed.extend(of_host.removed.iter().cloned());
        let none = Overrides::new();
        let priorities = [own.unwrap_or(&none), &of_host.overrides, &self.common];
        self.filters.note_route(&priorities, &mut facts);
        self.facts.push(facts);
    }

    /// The metadata of a route, if a filter reads it.
    fn metadata(&self, message: &Message<'_, '_>, report: &mut Report) -> RouteMetadata {
        let metadata = match self.filters.spillgate().next() {
            Some(_) => message.message("metadata", &METADATA, report),
            None => None,
        };
        let of = |name, report: &mut Report| {
            let found = namespace(metadata.as_ref()?, name, report);
            found.map(|(path, node)| read_struct(node, &path, report))
        };
        RouteMetadata {
            criteria: of(NAMESPACE, report).unwrap_or_default(),
            settings: of("spillgate", report).unwrap_or_default(),
        }
    }
}
