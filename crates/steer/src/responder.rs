//! Who responds to a request: read from the proxy at most once.
//!
//! After failed attempts Envoy responds itself, and `upstream.address` still names the host that it
//! tried last. A token for this host would keep a new client on a broken host.
//! `response.code_details` is `via_upstream` for every response of a host, and for no local reply.
//! It costs a hostcall, so it is read only if a token is due.

use alloc::vec::Vec;

use crate::port::Stream;

/// Who responds to a request, as far as the proxy has been asked.
#[derive(Default)]
pub(crate) struct Responder {
    address: Option<Option<Vec<u8>>>,
    is_host: Option<bool>,
}

impl Responder {
    /// The address of the host that the proxy tried last; `None` if it tried none.
    pub(crate) fn address<S: Stream>(&mut self, stream: &mut S) -> Option<&str> {
        let read = self
            .address
            .get_or_insert_with(|| stream.upstream_address());
        let address = core::str::from_utf8(read.as_deref()?).ok()?;
        (!address.is_empty()).then_some(address)
    }

    /// Whether the response comes from this host. After failed attempts, the proxy responds itself.
    pub(crate) fn is_host<S: Stream>(&mut self, stream: &mut S) -> bool {
        *self
            .is_host
            .get_or_insert_with(|| stream.is_upstream_response())
    }
}
