//! The context of one request.

use crate::host::Exchange;
use crate::route::Routes;
use proxy_wasm::traits::{Context, HttpContext};
use proxy_wasm::types::Action;
use spillgate_steer::port::Side;
use spillgate_steer::{Next, SteeredRequest};
use std::cell::RefCell;
use std::rc::Rc;

/// The context of one request.
pub(crate) struct Http {
    request: SteeredRequest,
    routes: Rc<RefCell<Routes>>,
}

impl Http {
    /// A request, and the cached routes of its root context.
    pub(crate) const fn new(request: SteeredRequest, routes: Rc<RefCell<Routes>>) -> Self {
        Self { request, routes }
    }
}

impl Context for Http {}

impl HttpContext for Http {
    fn on_http_request_headers(&mut self, _headers: usize, _is_end: bool) -> Action {
        let mut exchange = Exchange::new(&self.routes, Side::Request);
        match self.request.on_request_headers(&mut exchange) {
            Next::Forward => Action::Continue,
            Next::Responded => Action::Pause,
        }
    }

    fn on_http_response_headers(&mut self, _headers: usize, _is_end: bool) -> Action {
        let mut exchange = Exchange::new(&self.routes, Side::Response);
        match self.request.on_response_headers(&mut exchange) {
            Next::Forward => Action::Continue,
            Next::Responded => Action::Pause,
        }
    }
}
