//! One request: what the client must not say is dropped, the decision is written, the answer goes
//! back clean.

use crate::host::{self, Side};
use crate::plugin::{self, Plugin};
use crate::root::Serving;
use crate::worker::Worker;
use proxy_wasm::traits::{Context, HttpContext};
use proxy_wasm::types::{Action, Bytes};
use spillgate_config::filter::{Output, TraceConfig};
use spillgate_core::decide::Decision;
use spillgate_core::route::{HeaderList, Headers};
use spillgate_core::trace::Step;

/// The status that Envoy itself answers where no host is left.
const NO_HOST_STATUS: u32 = 503;
/// Envoy's own words for it, so that clients see no difference.
const NO_HOST_BODY: &str = "no healthy upstream";
/// What access logs show (`%RESPONSE_CODE_DETAILS%`): there it does differ.
const NO_HOST_DETAILS: &str = "spillgate_no_host";

/// The context of one request.
pub(crate) struct Http {
    serving: Option<Serving>,
    /// The decision, for a caller who may read it.
    traced: Option<Traced>,
}

struct Traced {
    decision: Decision,
    steps: Option<Vec<Step>>,
}

impl Http {
    /// A request under the configuration that serves, if there is one.
    pub(crate) fn new(serving: Option<Serving>) -> Self {
        Self {
            serving,
            traced: None,
        }
    }

    /// Decides and writes. Everything of the client's is dropped before anything is decided.
    fn steer(&mut self, plugin: &Plugin, worker: &mut Worker) -> Action {
        let headers = if plugin.reads_headers {
            host::request_headers()
        } else {
            Vec::new()
        };
        let asked = plugin
            .trace
            .as_ref()
            .filter(|trace| is_asked(trace, plugin, &headers));
        let headers = HeaderList(&headers);
        let mut dropped = true;
        for name in &plugin.request_headers_to_drop {
            dropped &= host::remove_header(Side::Request, name);
        }
        if !dropped {
            worker.counters.host_failure();
        }

        let Some(cluster) = plugin.target(&headers) else {
            worker.counters.passed_through();
            return Action::Continue;
        };
        let mut steps = asked.is_some_and(|trace| trace.steps).then(Vec::new);
        let decision = worker.decide(plugin, cluster, &headers, &mut steps);
        if asked.is_some() {
            self.traced = Some(Traced { decision, steps });
        }
        self.write(plugin, worker, &decision)
    }

    fn write(&self, plugin: &Plugin, worker: &mut Worker, decision: &Decision) -> Action {
        let owner = decision
            .level
            .and_then(|level| plugin.snapshot.cluster(level.owner));
        let hosts = plugin.host_list(decision);
        let (Some(owner), Some(hosts)) = (owner, hosts) else {
            if host::respond(NO_HOST_STATUS, NO_HOST_DETAILS, NO_HOST_BODY) {
                return Action::Pause;
            }
            // The request goes on without our headers, and Envoy finds no host itself.
            worker.counters.host_failure();
            return Action::Continue;
        };
        let written = host::set_header(Side::Request, &plugin.output.host_header, &hosts)
            && host::set_header(Side::Request, &plugin.output.cluster_header, &owner.name);
        if !written {
            worker.counters.host_failure();
        }
        Action::Continue
    }
}

/// Whether the caller presents the debug secret. Only the first copy of the header counts.
fn is_asked(trace: &TraceConfig, plugin: &Plugin, headers: &[(String, Bytes)]) -> bool {
    let name = &trace.when.header;
    if plugin.reads_headers {
        let headers = HeaderList(headers);
        headers
            .first(name)
            .is_some_and(|given| plugin::opens(trace, given))
    } else {
        host::request_header(name).is_some_and(|given| plugin::opens(trace, &given))
    }
}

impl Context for Http {}

impl HttpContext for Http {
    fn on_http_request_headers(&mut self, _count: usize, _end_of_stream: bool) -> Action {
        let Some(serving) = self.serving.clone() else {
            // Envoy lets no traffic through before a configuration is taken; other hosts may.
            let Output {
                host_header,
                cluster_header,
                ..
            } = Output::default();
            host::remove_header(Side::Request, &host_header);
            host::remove_header(Side::Request, &cluster_header);
            return Action::Continue;
        };
        match serving.worker.try_borrow_mut() {
            Ok(mut worker) => self.steer(&serving.plugin, &mut worker),
            // Callbacks do not nest, so nobody else holds it.
            Err(_) => Action::Continue,
        }
    }

    fn on_http_response_headers(&mut self, _count: usize, _end_of_stream: bool) -> Action {
        let Some(serving) = &self.serving else {
            return Action::Continue;
        };
        for name in &serving.plugin.response_headers_to_drop {
            host::remove_header(Side::Response, name);
        }
        if let (Some(traced), Some(trace)) = (&self.traced, &serving.plugin.trace) {
            let text = serving
                .plugin
                .explain(&traced.decision, traced.steps.as_deref());
            host::set_header(Side::Response, &trace.header, &text);
        }
        Action::Continue
    }
}
