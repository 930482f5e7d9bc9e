//! The context of one request.

use crate::abi::Action;
use crate::host::Exchange;
use crate::route::Routes;
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

    /// A request whose root context is unknown.
    pub(crate) fn unknown() -> Self {
        Self::new(SteeredRequest::new(None), Rc::default())
    }

    /// Handles the request headers.
    pub(crate) fn on_request_headers(&mut self) -> Action {
        let mut exchange = Exchange::new(&self.routes);
        match self.request.on_request_headers(&mut exchange) {
            Next::Forward => Action::Continue,
            Next::Responded => Action::Pause,
        }
    }

    /// Handles the response headers.
    pub(crate) fn on_response_headers(&self) -> Action {
        let mut exchange = Exchange::new(&self.routes);
        match self.request.on_response_headers(&mut exchange) {
            Next::Forward => Action::Continue,
            Next::Responded => Action::Pause,
        }
    }
}
