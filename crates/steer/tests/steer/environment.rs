//! A host environment in memory.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    time::Duration,
};

use crate::log::logged;
use spillgate_config::filter;
use spillgate_core::{
    decide::{Decision, Request},
    route::{HeaderList, Headers},
    snapshot::{ClusterId, Snapshot},
};
use spillgate_steer::{
    Configuration, Next, PluginInstance, RouteSettings, SteeredRequest,
    port::{
        AdminResponse, CallId, CounterName, HealthPort, LocalResponse, MetricId, Plugin, RouteEnd,
        ShareOutcome, SharedValue, Side, Stream, TokenOutcome,
    },
};

/// A worker of a proxy.
#[derive(Default)]
pub(crate) struct Worker {
    metrics: RefCell<Vec<(String, u64)>>,
    pub(crate) log: RefCell<Vec<String>>,
    pub(crate) shared: SharedData,
    /// The prefix of the shared data keys that cannot be written.
    pub(crate) write_protected: Cell<Option<&'static str>>,
    /// Runs once before a write to a key with this prefix: what another thread does meanwhile.
    pub(crate) interrupted: Cell<Option<Interrupt>>,
    /// The paths of open calls, by their ids.
    pub(crate) calls: RefCell<Vec<String>>,
    /// Whether calls are refused.
    pub(crate) refuses_calls: Cell<bool>,
    /// The requested interval of ticks, and how often it was requested.
    pub(crate) ticks: Cell<(Duration, usize)>,
    /// The wall clock: seconds since the Unix epoch.
    pub(crate) now: Cell<u64>,
    /// The monotonic clock in milliseconds; `None` if the environment has none.
    pub(crate) uptime: Cell<Option<u64>>,
    /// Added to every random byte.
    pub(crate) seed: Cell<u8>,
}

/// The prefix of a key, and an action.
pub(crate) type Interrupt = (&'static str, Box<dyn FnOnce()>);

/// The data that workers share: each value with its revision.
pub(crate) type SharedData = Rc<RefCell<BTreeMap<String, SharedValue>>>;

impl Worker {
    /// The value of a metric; 0 if it was never defined.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let metrics = self.metrics.borrow();
        let metric = metrics.iter().find(|(known, _)| known == name);
        metric.map_or(0, |(_, value)| *value)
    }

    /// Calls `action`, and adds what it logs to the log of this worker.
    pub(crate) fn logs<T>(&self, action: impl FnOnce(&Self) -> T) -> T {
        let (result, logged) = logged(|| action(self));
        self.log.borrow_mut().extend(logged);
        result
    }

    fn start_clocks(&self) {
        self.now.set(1_763_000_000);
        self.uptime.set(Some(5_000_000));
    }

    /// Advances both clocks.
    pub(crate) fn pass(&self, seconds: u64) {
        self.now.set(self.now.get() + seconds);
        let uptime = self.uptime.get();
        self.uptime
            .set(uptime.map(|uptime| uptime + seconds * 1_000));
    }

    /// Uses the shared data of another worker, at the same time.
    pub(crate) fn share_with(&mut self, other: &Self) {
        self.shared = other.shared.clone();
        self.now.set(other.now.get());
        self.uptime.set(other.uptime.get());
    }

    fn define(&self, name: &str) -> Option<MetricId> {
        let mut metrics = self.metrics.borrow_mut();
        let known = metrics.iter().position(|(known, _)| known == name);
        let at = known.unwrap_or_else(|| {
            metrics.push((name.to_owned(), 0));
            metrics.len() - 1
        });
        Some(at as MetricId)
    }
}

impl Plugin for Worker {
    fn counter(&self, name: CounterName<'_>) -> Option<MetricId> {
        self.define(&name.text())
    }

    fn increment(&self, counter: MetricId) {
        self.metrics.borrow_mut()[counter as usize].1 += 1;
    }

    fn gauge(&self, name: &str) -> Option<MetricId> {
        self.define(name)
    }

    fn record(&self, gauge: MetricId, value: u64) {
        self.metrics.borrow_mut()[gauge as usize].1 = value;
    }

    fn wall_clock(&self) -> u64 {
        self.now.get() * 1_000_000_000
    }

    fn monotonic_clock(&self) -> Option<u64> {
        self.uptime.get().map(|uptime| uptime * 1_000_000)
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        bytes.fill(self.seed.get().wrapping_add(7));
        true
    }
}

impl HealthPort for Worker {
    fn shared(&self, key: &str) -> Option<SharedValue> {
        self.shared.borrow().get(key).cloned()
    }

    fn share(&self, key: &str, value: &[u8], revision: Option<u32>) -> ShareOutcome {
        let protected = self.write_protected.get();
        if protected.is_some_and(|prefix| key.starts_with(prefix)) {
            return ShareOutcome::Refused;
        }
        let interrupted = self.interrupted.take();
        if let Some(interrupt) = interrupted {
            match interrupt {
                (prefix, other) if key.starts_with(prefix) => other(),
                other => self.interrupted.set(Some(other)),
            }
        }
        let mut shared = self.shared.borrow_mut();
        let present = shared.get(key).map_or(0, |value| value.revision);
        if revision.is_some_and(|revision| present != 0 && revision != present) {
            return ShareOutcome::Conflict;
        }
        let value = SharedValue {
            bytes: value.to_vec(),
            revision: present + 1,
        };
        shared.insert(key.to_owned(), value);
        ShareOutcome::Stored
    }

    fn get(&self, _: &str, path: &str, _: Duration) -> Option<CallId> {
        if self.refuses_calls.get() {
            return None;
        }
        let mut calls = self.calls.borrow_mut();
        calls.push(path.to_owned());
        Some(calls.len() as CallId - 1)
    }

    fn tick_every(&self, period: Duration) {
        self.ticks.set((period, self.ticks.get().1 + 1));
    }
}

/// One request with its response.
pub(crate) struct Exchange<'w> {
    worker: &'w Worker,
    pub(crate) request: Vec<(String, String)>,
    pub(crate) response: Vec<(String, String)>,
    pub(crate) route: RouteSettings,
    pub(crate) upstream: Option<String>,
    /// Where the route leads.
    pub(crate) route_end: RouteEnd,
    /// Whether the route leads to no cluster that exists.
    pub(crate) has_no_cluster: bool,
    /// Whether the proxy itself responds after it tried a host.
    pub(crate) unreachable: bool,
    /// Whether the proxy responds because it found no host.
    pub(crate) has_no_host: bool,
    /// How often the proxy tried to find a host.
    pub(crate) attempts: Option<u64>,
    /// The status, the details and the headers of the local response.
    pub(crate) local: Option<(u32, String, Vec<String>)>,
    pub(crate) token: Option<TokenOutcome>,
    /// Whether calls that change something fail.
    pub(crate) read_only: bool,
    /// How often all headers were read.
    pub(crate) reads: usize,
    /// The values for access logs.
    pub(crate) logged: Vec<(String, String)>,
    /// The names of the clusters of a decision.
    clusters: Vec<String>,
    /// The clusters of later attempts: after which first cluster, which one.
    pub(crate) following: Vec<(String, String)>,
}

impl<'w> Exchange<'w> {
    pub(crate) fn new(worker: &'w Worker, request: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self {
            worker,
            request: request.iter().map(owned).collect(),
            response: Vec::new(),
            route: RouteSettings::default(),
            upstream: None,
            route_end: RouteEnd::Host,
            has_no_cluster: false,
            unreachable: false,
            has_no_host: false,
            attempts: Some(1),
            local: None,
            token: None,
            read_only: false,
            reads: 0,
            logged: Vec::new(),
            clusters: Vec::new(),
            following: Vec::new(),
        }
    }

    /// The values of a request header.
    pub(crate) fn sent(&self, name: &str) -> Vec<&str> {
        values(&self.request, name)
    }

    /// The values of a response header.
    pub(crate) fn received(&self, name: &str) -> Vec<&str> {
        values(&self.response, name)
    }

    /// The override host list, if it was set.
    pub(crate) fn hosts(&self) -> Option<&str> {
        self.sent("x-spillgate-host").first().copied()
    }

    fn side(&mut self, side: Side) -> &mut Vec<(String, String)> {
        match side {
            Side::Request => &mut self.request,
            Side::Response => &mut self.response,
        }
    }
}

fn values<'h>(headers: &'h [(String, String)], name: &str) -> Vec<&'h str> {
    let named = headers.iter().filter(|(known, _)| known == name);
    named.map(|(_, value)| value.as_str()).collect()
}

/// All headers of a request.
#[derive(Default)]
pub(crate) struct Copied(Vec<(String, String)>);

impl Headers for Copied {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let values: Vec<&[u8]> = HeaderList(&self.0)
            .values(name)
            .map(|value| {
                let of = self.0.iter().find(|(_, known)| known.as_bytes() == value);
                of.unwrap().1.as_bytes()
            })
            .collect();
        values.into_iter()
    }
}

impl<'w> Stream for Exchange<'w> {
    type Headers = Copied;
    type Plugin = Worker;
    const WEIGHS_ALTERNATIVES: bool = true;

    fn plugin(&self) -> &'w Worker {
        self.worker
    }

    fn request_headers(&mut self) -> Copied {
        self.reads += 1;
        Copied(self.request.clone())
    }

    fn header(&mut self, side: Side, name: &str) -> Option<Vec<u8>> {
        let value = values(self.side(side), name);
        value.first().map(|value| value.as_bytes().to_vec())
    }

    fn header_values(&mut self, side: Side, name: &str) -> Vec<Vec<u8>> {
        let found = values(self.side(side), name).into_iter();
        found.map(|value| value.as_bytes().to_vec()).collect()
    }

    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool {
        self.remove_header(side, name) && self.add_header(side, name, value.as_bytes())
    }

    fn add_header(&mut self, side: Side, name: &str, value: &[u8]) -> bool {
        if !self.read_only {
            let value = String::from_utf8(value.to_vec()).unwrap();
            self.side(side).push((name.to_owned(), value));
        }
        !self.read_only
    }

    fn remove_header(&mut self, side: Side, name: &str) -> bool {
        if !self.read_only {
            self.side(side).retain(|(known, _)| known != name);
        }
        !self.read_only
    }

    fn respond(&mut self, response: &LocalResponse<'_>) -> bool {
        let headers = response
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        self.local = Some((
            response.status,
            response.details.to_owned(),
            headers.collect(),
        ));
        !self.read_only
    }

    fn route(&mut self) -> Rc<RouteSettings> {
        Rc::new(self.route.clone())
    }

    fn upstream_address(&mut self) -> Option<Vec<u8>> {
        self.upstream
            .as_ref()
            .map(|address| address.clone().into_bytes())
    }

    fn is_upstream_response(&mut self) -> bool {
        !self.unreachable
    }

    fn route_end(&mut self, _: &str, _: &str) -> RouteEnd {
        self.route_end
    }

    fn has_no_cluster(&mut self) -> bool {
        self.has_no_cluster
    }

    fn attempts(&mut self) -> Option<u64> {
        self.attempts
    }

    fn has_no_host(&mut self) -> bool {
        self.has_no_host
    }

    fn store_for_logs(&mut self, name: &str, value: &str) -> bool {
        self.logged.push((name.to_owned(), value.to_owned()));
        true
    }

    fn deciding<H: Headers>(&mut self, snapshot: &Snapshot, _: &Request<'_, H>) {
        let names = snapshot.clusters().map(|(_, cluster)| cluster.name.clone());
        self.clusters = names.collect();
    }

    fn following(&mut self, owner: ClusterId, next: &Decision) {
        let next = next.host_ref().unwrap().cluster;
        let [owner, next] = [owner, next].map(|id| self.clusters[id.index()].clone());
        self.following.push((owner, next));
    }

    fn decided(&mut self, _: &Decision, token: TokenOutcome) {
        self.token = Some(token);
    }
}

/// A worker with a plugin.
#[derive(Default)]
pub(crate) struct Proxy {
    pub(crate) worker: Worker,
    pub(crate) instance: PluginInstance,
}

impl Proxy {
    /// A proxy that serves this configuration.
    pub(crate) fn serving(json: &str) -> Self {
        let mut proxy = Self::default();
        proxy.worker.start_clocks();
        assert!(proxy.configure(json));
        proxy
    }

    /// The same, with the shared data and the clocks of another one.
    pub(crate) fn serving_with(other: &Self, json: &str) -> Self {
        let mut proxy = Self::default();
        proxy.worker.share_with(&other.worker);
        assert!(proxy.configure(json));
        proxy
    }

    /// Applies a configuration that steers requests. Returns whether it was accepted.
    pub(crate) fn configure(&mut self, json: &str) -> bool {
        let read = filter::read(json)
            .map(|config| Configuration::Balance(Box::new(config), Vec::new()))
            .map_err(|faults| faults.iter().map(ToString::to_string).collect());
        self.worker
            .logs(|worker| self.instance.configure(worker, read))
    }

    /// A proxy that polls with this configuration.
    pub(crate) fn polling(json: &str) -> Self {
        let mut proxy = Self::default();
        proxy.worker.start_clocks();
        proxy.poll(json);
        proxy
    }

    /// The same, with the shared data and the clocks of another one.
    pub(crate) fn polling_with(other: &Self, json: &str) -> Self {
        let mut proxy = Self::default();
        proxy.worker.share_with(&other.worker);
        proxy.poll(json);
        proxy
    }

    fn poll(&mut self, json: &str) {
        let read = Ok(Configuration::Poll(filter::read_poller(json).unwrap()));
        assert!(
            self.worker
                .logs(|worker| self.instance.configure(worker, read))
        );
    }

    /// Advances both clocks, then ticks.
    pub(crate) fn tick_after(&mut self, seconds: u64) {
        self.worker.pass(seconds);
        self.worker.logs(|worker| self.instance.on_tick(worker));
    }

    /// Advances the monotonic clock, then ticks.
    pub(crate) fn tick_after_ms(&mut self, milliseconds: u64) {
        let uptime = self.worker.uptime.get();
        let uptime = uptime.map(|uptime| uptime + milliseconds);
        self.worker.uptime.set(uptime);
        self.worker.logs(|worker| self.instance.on_tick(worker));
    }

    /// The number of polls so far.
    pub(crate) fn polls(&self) -> usize {
        self.worker.calls.borrow().len()
    }

    /// Responds to the last call with these hosts of the cluster `c`: addresses and health flags.
    pub(crate) fn respond(&mut self, hosts: &[(&str, &str)]) {
        self.respond_to_call(self.polls() - 1, hosts);
    }

    /// Responds to the call of this number.
    pub(crate) fn respond_to_call(&mut self, call: usize, hosts: &[(&str, &str)]) {
        let lines = hosts
            .iter()
            .map(|(host, flags)| format!("c::{host}::health_flags::{flags}\n"));
        self.respond_to_call_with(call, &lines.collect::<String>());
    }

    /// Responds to the last call with this text.
    pub(crate) fn respond_with(&mut self, text: &str) {
        self.respond_to_call_with(self.polls() - 1, text);
    }

    /// Responds to the call of this number with this text.
    pub(crate) fn respond_to_call_with(&mut self, call: usize, text: &str) {
        let response = AdminResponse {
            call: call as CallId,
            status: Some(b"200"),
            body: &text.as_bytes().to_vec(),
        };
        self.worker
            .logs(|worker| self.instance.on_admin_response(worker, &response));
    }

    /// Lets a call fail.
    pub(crate) fn fail(&mut self, call: usize) {
        let response = AdminResponse {
            call: call as CallId,
            status: None,
            body: &Vec::new(),
        };
        self.worker
            .logs(|worker| self.instance.on_admin_response(worker, &response));
    }

    /// Responds to the last call whose path has this prefix.
    pub(crate) fn respond_to(&mut self, prefix: &str, status: &str, text: &str) {
        let calls = self.worker.calls.borrow().clone();
        let call = calls.iter().rposition(|path| path.starts_with(prefix));
        let response = AdminResponse {
            call: call.unwrap() as CallId,
            status: Some(status.as_bytes()),
            body: &text.as_bytes().to_vec(),
        };
        self.worker
            .logs(|worker| self.instance.on_admin_response(worker, &response));
    }

    /// A request with its response.
    pub(crate) fn request(&self, headers: &[(&str, &str)]) -> Exchange<'_> {
        self.exchange(Exchange::new(&self.worker, headers))
    }

    /// A prepared exchange: the first host of the list responds.
    pub(crate) fn exchange<'w>(&self, mut exchange: Exchange<'w>) -> Exchange<'w> {
        let mut request: SteeredRequest = self.instance.request();
        if request.on_request_headers(&mut exchange) == Next::Forward {
            let list = exchange.hosts().unwrap_or_default().to_owned();
            let first = list.split(',').next().filter(|first| !first.is_empty());
            exchange.upstream = exchange.upstream.or(first.map(str::to_owned));
            request.on_response_headers(&mut exchange);
        }
        request.on_end();
        exchange
    }
}

/// A plain cluster of these hosts: addresses, statuses, and the values of their metadata key `v`.
pub(crate) fn cluster(name: &str, hosts: &[(&str, &str, &str)]) -> String {
    let endpoints = hosts.iter().map(|(address, status, version)| {
        let (ip, port) = address.rsplit_once(':').unwrap();
        format!(
            r#"{{"endpoint": {{"address": {{"socket_address":
                {{"address": "{ip}", "port_value": {port}}}}}}}, "health_status": "{status}",
                "metadata": {{"filter_metadata": {{"envoy.lb": {{"v": "{version}"}}}}}}}}"#
        )
    });
    let endpoints: Vec<String> = endpoints.collect();
    format!(
        r#"{{"name": "{name}", "lb_policy": "ROUND_ROBIN",
            "common_lb_config": {{"healthy_panic_threshold": {{"value": 0}}}},
            "lb_subset_config": {{"subset_selectors": [{{"keys": ["v"]}}],
                "fallback_policy": "ANY_ENDPOINT"}},
            "load_assignment": {{"cluster_name": "{name}",
                "endpoints": [{{"lb_endpoints": [{}]}}]}}}}"#,
        endpoints.join(", ")
    )
}
