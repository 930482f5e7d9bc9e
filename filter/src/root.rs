//! The root context: one plugin, which steers requests or polls.

use crate::calls;
use crate::configuration;
use crate::host::{self, CallBody, Envoy};
use crate::http::Http;
use crate::route::Routes;
use proxy_wasm::traits::{Context, HttpContext, RootContext};
use proxy_wasm::types::{BufferType, ContextType};
use spillgate_steer::PluginInstance;
use spillgate_steer::port::AdminResponse;
use std::cell::RefCell;
use std::rc::Rc;

/// The `root_id` of a plugin that polls for all workers.
const POLLER: &[u8] = b"spillgate-poller";

/// The root context. All state belongs to it.
#[derive(Default)]
pub(crate) struct Root {
    instance: PluginInstance,
    routes: Rc<RefCell<Routes>>,
}

impl Context for Root {
    /// Handles the response to a call. A failed call has no headers.
    fn on_http_call_response(&mut self, call: u32, headers: usize, size: usize, _trailers: usize) {
        let status = (headers > 0).then(host::call_status).flatten();
        let response = AdminResponse {
            call,
            status: status.as_deref(),
            body: &CallBody(size),
        };
        self.instance.on_admin_response(&Envoy, &response);
    }
}

impl RootContext for Root {
    /// Applies the configuration, which has this size in bytes. Returns whether it was accepted.
    fn on_configure(&mut self, size: usize) -> bool {
        let text = calls::buffer(BufferType::PluginConfiguration, size).unwrap_or_default();
        let read = if calls::property("plugin_root_id").as_deref() == Some(POLLER) {
            configuration::read_poller(&text)
        } else {
            configuration::read_filter(&text)
        };
        self.instance.configure(&Envoy, read)
    }

    fn on_tick(&mut self) {
        self.instance.on_tick(&Envoy);
    }

    fn create_http_context(&self, _id: u32) -> Option<Box<dyn HttpContext>> {
        let request = self.instance.request();
        Some(Box::new(Http::new(request, self.routes.clone())))
    }

    fn get_type(&self) -> Option<ContextType> {
        Some(ContextType::HttpContext)
    }
}
