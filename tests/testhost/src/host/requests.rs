//! Sending requests through the filter.

use super::{RootId, TestHost, size};
use crate::error::HostError;
use crate::exchange::{Exchange, FilterRequest, FilterResponse, InFlight};
use crate::headers::HeaderMap;
use crate::state::MapKind;

/// `proxy_on_request_headers` lets the request go on with this answer, and stops it with any other.
const CONTINUE: u32 = 0;

impl TestHost {
    /// Sends a request through the configuration that serves; the upstream answers 200.
    ///
    /// # Errors
    /// When nothing serves yet, or the guest traps.
    pub fn request(&mut self, request: FilterRequest) -> Result<Exchange, HostError> {
        self.request_answered(request, FilterResponse::new(200))
    }

    /// Sends a request; the upstream, if the request gets there, answers `response`.
    ///
    /// # Errors
    /// When nothing serves yet, or the guest traps.
    pub fn request_answered(
        &mut self,
        request: FilterRequest,
        response: FilterResponse,
    ) -> Result<Exchange, HostError> {
        let in_flight = self.begin(request)?;
        self.finish(in_flight, response)
    }

    /// Sends a request through one of several configurations in the VM.
    ///
    /// # Errors
    /// When the guest traps.
    pub fn request_to(
        &mut self,
        root: RootId,
        request: FilterRequest,
    ) -> Result<Exchange, HostError> {
        let in_flight = self.begin_at(root, request)?;
        self.finish(in_flight, FilterResponse::new(200))
    }

    /// Runs the request phase only: several requests can be active at once.
    ///
    /// # Errors
    /// When nothing serves yet, or the guest traps.
    pub fn begin(&mut self, request: FilterRequest) -> Result<InFlight, HostError> {
        let root = self.serving.ok_or(HostError::NotConfigured)?;
        self.begin_at(root, request)
    }

    fn begin_at(&mut self, root: RootId, request: FilterRequest) -> Result<InFlight, HostError> {
        self.vm.state_mut().calls.clear();
        self.vm.take_burnt();
        let context = self.new_context(root.0)?;
        let (action, request_headers) = self.header_phase(
            "proxy_on_request_headers",
            context,
            MapKind::FilterRequest,
            request.headers,
        )?;
        let state = self.vm.state_mut();
        let local_response = state.local_response.take();
        Ok(InFlight {
            context,
            request_headers,
            paused: action != CONTINUE && local_response.is_none(),
            local_response,
            calls: std::mem::take(&mut state.calls),
            fuel: self.vm.take_burnt(),
        })
    }

    /// Runs the response phase and ends the stream. A local response takes the place of
    /// `response`; a request that the filter stopped gets neither.
    ///
    /// # Errors
    /// When the guest traps.
    pub fn finish(
        &mut self,
        in_flight: InFlight,
        response: FilterResponse,
    ) -> Result<Exchange, HostError> {
        self.vm.state_mut().calls = in_flight.calls;
        self.vm.take_burnt();
        let mut response_headers = match &in_flight.local_response {
            Some(local) => local.to_headers(),
            None => response.headers,
        };
        if in_flight.paused {
            response_headers = HeaderMap::new();
        } else {
            (_, response_headers) = self.header_phase(
                "proxy_on_response_headers",
                in_flight.context,
                MapKind::FilterResponse,
                response_headers,
            )?;
        }
        let mut local_response = in_flight.local_response;
        // A filter may also replace the answer of the upstream; no filter sees the new one.
        if let Some(local) = self.vm.state_mut().local_response.take() {
            response_headers = local.to_headers();
            local_response = Some(local);
        }
        self.end_context(in_flight.context)?;
        Ok(Exchange {
            request_headers: in_flight.request_headers,
            local_response,
            paused: in_flight.paused,
            response_headers,
            calls: std::mem::take(&mut self.vm.state_mut().calls),
            fuel: in_flight.fuel + self.vm.take_burnt(),
        })
    }

    /// Lends the guest one header map for one callback. Outside the callback the map is gone.
    fn header_phase(
        &mut self,
        callback: &str,
        context: u32,
        kind: MapKind,
        headers: HeaderMap,
    ) -> Result<(u32, HeaderMap), HostError> {
        const END_OF_STREAM: u32 = 1;
        let count = size(headers.len());
        self.vm.state_mut().maps.insert(kind as u32, headers);
        let outcome = self
            .vm
            .call(callback, context, &[context, count, END_OF_STREAM]);
        let headers = self.vm.state_mut().maps.remove(&(kind as u32));
        Ok((outcome?.unwrap_or(CONTINUE), headers.unwrap_or_default()))
    }
}
