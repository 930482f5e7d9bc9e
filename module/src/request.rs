//! The requests of a configuration.

use std::sync::Arc;

use spillgate_steer::{Next, SteeredRequest};

use crate::{abi::StreamHandle, plugin::Plugin, settings::FilterState, stream::Exchange, worker};

/// A request, from its headers to its end.
pub(crate) struct FilterRequest {
    state: Arc<FilterState>,
    request: SteeredRequest,
}

impl FilterRequest {
    /// A new request.
    pub(crate) fn new(state: Arc<FilterState>) -> Self {
        Self {
            state,
            request: SteeredRequest::new(None),
        }
    }

    /// Handles the request headers. Returns whether Envoy continues.
    pub(crate) fn on_request_headers(&mut self, envoy: StreamHandle<'_>) -> bool {
        let mut exchange = exchange(envoy, &self.state);
        self.request = worker::request(&self.state, &exchange.plugin);
        match self.request.on_request_headers(&mut exchange) {
            Next::Forward => true,
            Next::Responded => false,
        }
    }

    /// Handles the response headers. Returns whether Envoy continues.
    pub(crate) fn on_response_headers(&self, envoy: StreamHandle<'_>) -> bool {
        let mut exchange = exchange(envoy, &self.state);
        match self.request.on_response_headers(&mut exchange) {
            Next::Forward => true,
            Next::Responded => false,
        }
    }
}

/// The request of a hook.
fn exchange<'hook>(envoy: StreamHandle<'hook>, state: &'hook Arc<FilterState>) -> Exchange<'hook> {
    let plugin = Plugin::new(envoy, state, worker::counters(state));
    Exchange::new(envoy, plugin)
}
