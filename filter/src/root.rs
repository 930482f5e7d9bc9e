//! The root context: one plugin, which steers requests or polls.

use crate::abi::{Buffer, calls};
use crate::configuration;
use crate::host::{self, Envoy};
use crate::http::Http;
use crate::route::Routes;
use spillgate_steer::PluginInstance;
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

impl Root {
    /// Handles the response to a call.
    pub(crate) fn on_http_call_response(&mut self, call: u32, size: usize) {
        let response = host::admin_response(call, size);
        self.instance.on_admin_response(&Envoy, &response);
    }

    /// Applies the configuration, which has this size in bytes. Returns whether it was accepted.
    pub(crate) fn on_configure(&mut self, size: usize) -> bool {
        let text = calls::buffer(Buffer::PluginConfiguration, size).unwrap_or_default();
        let read = match calls::property("plugin_root_id").as_deref() == Some(POLLER) {
            true => configuration::read_poller(&text),
            false => configuration::read_filter(&text),
        };
        self.instance.configure(&Envoy, read)
    }

    pub(crate) fn on_tick(&mut self) {
        self.instance.on_tick(&Envoy);
    }

    /// The context of a new request.
    pub(crate) fn request(&self) -> Http {
        Http::new(self.instance.request(), self.routes.clone())
    }
}
