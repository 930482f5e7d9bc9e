//! Which request headers a table reads.

use super::{
    AddressDetection, ClientAddress, ClusterName, ConnectionManager, FormatPart, Forward,
    HashPolicy, HashSource, HeaderFormat, HeaderMutation, HeaderMutations, HostRewrite,
    PathRewrite, RequestFilter, Route, RouteAction, RouteTable, RouteTarget, RuleSource, SplitBy,
};
use crate::names::Names;

/// The header that cookies come from.
const COOKIE: &str = "cookie";

impl RouteTable {
    /// The headers that conditions of routes, hash policies, filters, rewrites and values of other
    /// headers read, also `:path` and `:authority`.
    #[must_use]
    pub fn read_headers(&self) -> Names {
        self.gather(true)
    }

    /// Those that all requests depend on: conditions of a route also decide about other routes. The
    /// others are those of [`Route::read_headers`].
    #[must_use]
    pub fn common_read_headers(&self) -> Names {
        let (mut common, all) = (self.gather(false), self.gather(true));
        // The connection manager reads them for headers that routes read.
        for name in ["x-forwarded-for", "x-forwarded-proto"] {
            if all.contains(name) {
                common.add(name);
            }
        }
        common
    }

    /// The headers, with those of single routes if `own`.
    fn gather(&self, own: bool) -> Names {
        let mut names = ReadHeaders(Names::default());
        names.all([":path", ":authority"]);
        if let Some(manager) = &self.manager {
            names.steps(&manager.early);
            if let ClientAddress::Headers(detections) = &manager.client {
                for detection in detections {
                    if let AddressDetection::Header { name, .. } = detection {
                        names.0.add(name);
                    }
                }
            }
        }
        names.filters(&self.filters);
        names.mutations(&self.headers);
        for host in &self.virtual_hosts {
            names.mutations(&host.headers);
            for route in &host.routes {
                names.conditions(route);
                if own {
                    names.own(route);
                }
            }
        }
        if let Some(manager) = &self.manager {
            names.of_manager(manager, self.hashes_source());
        }
        names.0
    }

    /// Whether a route hashes the client's address.
    fn hashes_source(&self) -> bool {
        let mut routes = self.virtual_hosts.iter().flat_map(|host| &host.routes);
        routes.any(|route| match &route.action {
            RouteAction::Forward(forward) => {
                let mut policies = forward.hash_policies.iter();
                policies.any(|policy| policy.source == HashSource::SourceIp)
            }
            _ => false,
        })
    }
}

impl Route {
    /// The headers that only requests of this route depend on: hash policies, filters, rewrites and
    /// values of other headers.
    #[must_use]
    pub fn read_headers(&self) -> Names {
        let mut names = ReadHeaders(Names::default());
        names.own(self);
        names.0
    }
}

impl HashPolicy {
    /// The header that the policy hashes a part of; `None` if it hashes no header.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        match &self.source {
            HashSource::Header { name, .. } => Some(name),
            HashSource::Cookie(_) => Some(COOKIE),
            HashSource::QueryParameter { .. } => Some(":path"),
            HashSource::SourceIp | HashSource::FilterState { .. } | HashSource::Constant { .. } => {
                None
            }
        }
    }
}

/// The names so far.
struct ReadHeaders(Names);

impl ReadHeaders {
    fn all<'t>(&mut self, names: impl IntoIterator<Item = &'t str>) {
        for name in names {
            self.0.add(name);
        }
    }

    fn conditions(&mut self, route: &Route) {
        let matcher = &route.matcher;
        let headers = matcher.headers.iter().map(|header| header.name.as_str());
        self.all(headers);
        if !matcher.cookies.is_empty() {
            self.0.add(COOKIE);
        }
        if matcher.grpc {
            self.0.add("content-type");
        }
    }

    fn own(&mut self, route: &Route) {
        self.filters(route.filters.as_deref().unwrap_or_default());
        self.mutations(&route.headers);
        if let RouteAction::Forward(forward) = &route.action {
            self.forward(forward);
        }
    }

    /// What the connection manager reads for headers and addresses that something reads.
    fn of_manager(&mut self, manager: &ConnectionManager, hashes_source: bool) {
        let address = ["x-envoy-external-address", "x-envoy-internal"];
        let reads_address = hashes_source || address.iter().any(|name| self.0.contains(name));
        if matches!(manager.client, ClientAddress::Headers(_)) && reads_address {
            self.0.add("x-forwarded-for");
        }
        if self.0.contains(":scheme") {
            self.0.add("x-forwarded-proto");
        }
    }

    fn forward(&mut self, forward: &Forward) {
        let hashed = forward.hash_policies.iter();
        self.all(hashed.filter_map(HashPolicy::header));
        let retried = forward.retry.request_headers.iter();
        self.all(retried.map(|condition| condition.name.as_str()));
        match &forward.rewrite.path {
            Some(PathRewrite::Format(format)) => self.format(format),
            Some(PathRewrite::Prefix(_) | PathRewrite::Regex(_)) | None => {}
        }
        match &forward.rewrite.host {
            Some(HostRewrite::Format(format)) => self.format(format),
            Some(HostRewrite::Header(name)) => {
                self.0.add(name);
            }
            Some(HostRewrite::Literal(_) | HostRewrite::PathRegex(_)) | None => {}
        }
        match &forward.target {
            RouteTarget::One(cluster) => self.cluster(cluster),
            RouteTarget::Chosen(_) => {}
            RouteTarget::Matched(matcher) => self.all(matcher.headers()),
            RouteTarget::Weighted(clusters) => {
                if let SplitBy::Header(name) = clusters.by() {
                    self.0.add(name);
                }
                for one in clusters.of_all_attempts() {
                    self.cluster(&one.cluster);
                    self.filters(one.filters.as_deref().unwrap_or_default());
                    self.mutations(&one.headers);
                }
            }
        }
    }

    fn cluster(&mut self, cluster: &ClusterName) {
        if let ClusterName::Header(name) = cluster {
            self.0.add(name);
        }
    }

    fn filters(&mut self, filters: &[RequestFilter]) {
        for filter in filters {
            match filter {
                RequestFilter::HeaderMutation(steps) => self.steps(steps),
                RequestFilter::HeaderToMetadata(rules) => {
                    self.all(rules.iter().map(|rule| match &rule.source {
                        RuleSource::Header { name, .. } => name.as_str(),
                        RuleSource::Cookie(_) => COOKIE,
                    }));
                }
                RequestFilter::StatefulSession(session) => {
                    self.0.add(session.carrier.header_and_cookie().0);
                }
                RequestFilter::SetMetadata(_) | RequestFilter::Spillgate(_) => {}
            }
        }
    }

    fn mutations(&mut self, mutations: &HeaderMutations) {
        for added in &mutations.added {
            self.format(&added.value);
        }
    }

    fn steps(&mut self, steps: &[HeaderMutation]) {
        for step in steps {
            if let HeaderMutation::Append(added) = step {
                self.format(&added.value);
            }
        }
    }

    fn format(&mut self, format: &HeaderFormat) {
        for part in &format.0 {
            if let FormatPart::Header {
                name, otherwise, ..
            } = part
            {
                self.0.add(name);
                self.all(otherwise.as_deref());
            }
        }
    }
}
