//! A request with its response, and the filter that handles it.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::Arc,
};

use crate::{
    abi::{Own, hooks},
    filter::{LoadedFilter, MetricDefinition},
    headers::{HostHeaders, HostRequest},
    lent::Lent,
    metadata::{LentFields, LentValue},
    route::{HostRoute, RouteCluster},
};

/// A response that the filter sends itself.
#[derive(Debug, Clone)]
pub struct SentResponse {
    /// The status.
    pub status: u32,
    /// The headers that the filter adds.
    pub headers: HostHeaders,
    /// The response code details.
    pub details: String,
}

/// The request as the module reaches it by its address.
pub(crate) struct StreamObject {
    /// Whether one of its hooks runs now.
    pub(crate) in_hook: Cell<bool>,
    pub(crate) request: RefCell<HostHeaders>,
    pub(crate) response: RefCell<HostHeaders>,
    pub(crate) route: RefCell<HostRoute>,
    /// The chosen cluster; `None`: not asked for yet.
    pub(crate) cluster: RefCell<Option<Box<[u8]>>>,
    /// The number of the attempt, from 1; 0 before the first one.
    pub(crate) attempt: Cell<u64>,
    pub(crate) metadata: RefCell<LentFields>,
    pub(crate) override_host: RefCell<Option<String>>,
    pub(crate) sent: RefCell<Option<SentResponse>>,
    pub(crate) filter_state: RefCell<BTreeMap<String, Box<[u8]>>>,
    pub(crate) upstream: RefCell<Option<Box<[u8]>>>,
    pub(crate) details: RefCell<Option<Box<[u8]>>>,
    pub(crate) attempts: Cell<Option<u64>>,
    pub(crate) counted: RefCell<BTreeMap<String, u64>>,
    config: Arc<LoadedFilter>,
}

impl StreamObject {
    pub(crate) fn metric(&self, number: usize) -> &MetricDefinition {
        let found = self.config.metrics.get(number);
        found.expect("the module uses a metric of its configuration")
    }

    /// The cluster, which the route chooses at the first question.
    pub(crate) fn choose_cluster(&self) {
        if self.cluster.borrow().is_some() {
            return;
        }
        let chosen = match &self.route.borrow().cluster {
            RouteCluster::Named(name) => Some(name.as_bytes().into()),
            RouteCluster::Header(header) => {
                let request = self.request.borrow();
                request.values(header).next().map(Box::from)
            }
            RouteCluster::Specifier(specifier) => {
                specifier.select(&self.metadata.borrow(), self.attempt.get())
            }
            RouteCluster::Absent => None,
        };
        self.cluster.replace(chosen);
    }

    /// Forgets the chosen cluster, and moves the texts of the route.
    pub(crate) fn clear_route(&self) {
        let mut again = self.route.borrow().clone();
        again.metadata = Arc::new((*again.metadata).clone());
        self.route.replace(again);
        self.cluster.replace(None);
    }
}

/// A request in Envoy, until it is dropped. It belongs to its thread.
pub struct HttpStream {
    filter: Own,
    object: Lent<StreamObject>,
}

impl HttpStream {
    /// A new request. Its hooks have not run yet.
    #[must_use]
    pub fn open(config: &Arc<LoadedFilter>, request: HostRequest, route: HostRoute) -> Self {
        let object = Lent::new(StreamObject {
            in_hook: Cell::new(false),
            request: RefCell::new(request.0),
            response: RefCell::default(),
            route: RefCell::new(route),
            cluster: RefCell::default(),
            attempt: Cell::new(0),
            metadata: RefCell::default(),
            override_host: RefCell::default(),
            sent: RefCell::default(),
            filter_state: RefCell::default(),
            upstream: RefCell::default(),
            details: RefCell::default(),
            attempts: Cell::new(Some(1)),
            counted: RefCell::default(),
            config: config.clone(),
        });
        let filter = config.new_filter(object.address());
        Self { filter, object }
    }

    /// Passes the request headers to the filter. Returns whether the request continues.
    #[must_use]
    pub fn request_headers(&self) -> bool {
        self.object.in_hook.set(true);
        // SAFETY: the filter and the object exist.
        let status = unsafe { hooks::request_headers(self.object.address(), self.filter, true) };
        self.object.in_hook.set(false);
        let sent = self.object.sent.borrow().is_some();
        assert_eq!(status, u32::from(sent), "a status without its response");
        !sent
    }

    /// Passes the response of a host to the filter.
    pub fn respond(&self, upstream: &str, headers: HostHeaders) {
        let details = Some(b"via_upstream".as_slice().into());
        self.response_headers(Some(upstream.as_bytes().into()), details, headers);
    }

    /// Sets how often Envoy has tried to find a host; `None`: it does not tell.
    pub fn set_attempts(&self, attempts: Option<u64>) {
        self.object.attempts.set(attempts);
    }

    /// Passes a response of Envoy or of another filter to the filter.
    pub fn respond_locally(&self, details: &str) {
        let details = Some(details.as_bytes().into());
        self.response_headers(None, details, HostHeaders::default());
    }

    fn response_headers(
        &self,
        upstream: Option<Box<[u8]>>,
        details: Option<Box<[u8]>>,
        headers: HostHeaders,
    ) {
        self.object.upstream.replace(upstream);
        self.object.details.replace(details);
        self.object.response.replace(headers);
        self.object.in_hook.set(true);
        // SAFETY: the filter and the object exist.
        let status = unsafe { hooks::response_headers(self.object.address(), self.filter, true) };
        self.object.in_hook.set(false);
        assert_eq!(status, 0, "the filter stops a response");
    }

    /// The cluster that the request goes to.
    #[must_use]
    pub fn cluster(&self) -> Option<String> {
        self.object.choose_cluster();
        let cluster = self.object.cluster.borrow();
        let name = cluster.as_deref().map(String::from_utf8_lossy);
        name.map(|name| name.into_owned())
    }

    /// The cluster of an attempt, from 1, where retries choose again (`refresh_cluster_on_retry`).
    #[must_use]
    pub fn cluster_of_attempt(&self, attempt: u64) -> Option<String> {
        self.object.attempt.set(attempt);
        self.object.cluster.replace(None);
        self.cluster()
    }

    /// The hosts of the filter's decision, in order: the override host, or the host list.
    #[must_use]
    pub fn host_list(&self) -> Vec<String> {
        if let Some(host) = &*self.object.override_host.borrow() {
            return vec![host.clone()];
        }
        match self.object.metadata.borrow().get("spillgate", "host") {
            Some(LentValue::Text(list)) => String::from_utf8_lossy(list)
                .split(',')
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The response that the filter sent.
    #[must_use]
    pub fn sent(&self) -> Option<SentResponse> {
        self.object.sent.borrow().clone()
    }

    /// The request headers as the upstream host gets them.
    #[must_use]
    pub fn request(&self) -> HostHeaders {
        self.object.request.borrow().clone()
    }

    /// The response headers as the client gets them.
    #[must_use]
    pub fn response(&self) -> HostHeaders {
        self.object.response.borrow().clone()
    }

    /// What the request added to a counter without labels.
    #[must_use]
    pub fn counted(&self, name: &str) -> u64 {
        let counted = self.object.counted.borrow();
        counted.get(name).copied().unwrap_or(0)
    }
}

impl Drop for HttpStream {
    fn drop(&mut self) {
        // SAFETY: the filter and the object exist; these are the filter's last hooks.
        unsafe {
            hooks::stream_complete(self.object.address(), self.filter);
            hooks::filter_destroy(self.filter);
        }
    }
}
