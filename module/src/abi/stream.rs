//! One request with its response, and the configuration of a filter.

use core::{marker::PhantomData, mem::MaybeUninit};

use super::{Address, Buffer, Header, Metric, imports};
use crate::headers::CopiedHeaders;

/// Success of a metric's callback.
const SUCCESS: u32 = 0;
/// `upstream.address` among the attributes.
const UPSTREAM_ADDRESS: u32 = 41;
/// `response.code_details` among the attributes.
const RESPONSE_CODE_DETAILS: u32 = 16;

/// `upstream.request_attempt_count` among the attributes.
const UPSTREAM_ATTEMPTS: u32 = 53;

/// A header map.
#[derive(Debug, Clone, Copy)]
pub(crate) enum HeaderMap {
    Request = 0,
    Response = 2,
}

/// Where metadata come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MetadataSource {
    Route = 1,
}

/// A key of metadata.
#[derive(Debug, Clone)]
pub(crate) struct MetadataKey {
    pub(crate) name: String,
    /// Where Envoy keeps the text: it belongs to one value as long as that exists.
    pub(crate) address: usize,
}

/// The configuration of a filter, inside the hook that creates it.
pub(crate) struct ConfigHandle<'hook> {
    at: Address,
    hook: PhantomData<&'hook ()>,
}

impl ConfigHandle<'_> {
    /// The configuration of a hook.
    ///
    /// # Safety
    /// `at` must be the configuration that Envoy passed to a hook that has not returned.
    pub(crate) const unsafe fn new(at: Address) -> Self {
        Self {
            at,
            hook: PhantomData,
        }
    }

    /// For the scheduler of the configuration.
    pub(super) const fn address(&self) -> Address {
        self.at
    }

    /// Defines a counter with these labels. `None` if Envoy refuses.
    pub(crate) fn counter(&self, name: &str, labels: &[&str]) -> Option<Metric> {
        let labels: Vec<Buffer> = labels.iter().map(|label| Buffer::from(*label)).collect();
        let mut metric = 0;
        // SAFETY: the configuration belongs to the present hook; Envoy copies the names and writes the
        // variable.
        let result = unsafe {
            imports::define_counter(
                self.at,
                name.into(),
                labels.as_ptr(),
                labels.len(),
                &raw mut metric,
            )
        };
        (result == SUCCESS).then_some(metric)
    }
}

/// A request, inside one of its hooks.
#[derive(Clone, Copy)]
pub(crate) struct StreamHandle<'hook> {
    at: Address,
    hook: PhantomData<&'hook ()>,
}

impl StreamHandle<'_> {
    /// The request of a hook.
    ///
    /// # Safety
    /// `at` must be the stream that Envoy passed to a hook that has not returned.
    pub(crate) const unsafe fn new(at: Address) -> Self {
        Self {
            at,
            hook: PhantomData,
        }
    }

    /// Adds to a counter that has these label values.
    pub(crate) fn increment(&self, metric: Metric, labels: &[Buffer], by: u64) {
        // SAFETY: the stream belongs to the present hook, and Envoy copies the labels. A wrong metric is
        // an error without effect.
        unsafe {
            imports::increment_counter(self.at, metric, labels.as_ptr(), labels.len(), by);
        }
    }

    /// All headers of a map.
    pub(crate) fn headers(&self, map: HeaderMap) -> CopiedHeaders {
        /// Most requests have fewer headers.
        const FEW: usize = 64;
        // SAFETY: the stream belongs to the present hook.
        let count = unsafe { imports::headers_size(self.at, map as u32) };
        let mut few = [MaybeUninit::<Header>::uninit(); FEW];
        let mut many = Vec::new();
        let places = match few.get_mut(..count) {
            Some(few) => few,
            None => {
                many.resize(count, MaybeUninit::uninit());
                &mut *many
            }
        };
        // SAFETY: Envoy fills as many places as it has just announced.
        let found = unsafe { imports::headers(self.at, map as u32, places.as_mut_ptr().cast()) };
        let headers: &[Header] = if found {
            // SAFETY: Envoy has filled all places.
            unsafe { places.assume_init_ref() }
        } else {
            &[]
        };
        // SAFETY: Envoy lends the texts until a header changes, and they are copied at once.
        let texts = |header: &Header| unsafe { (header.name.bytes(), header.value.bytes()) };
        CopiedHeaders::new(headers.iter().map(texts))
    }

    /// The first value of a header.
    pub(crate) fn header(&self, map: HeaderMap, name: &str) -> Option<Vec<u8>> {
        self.header_at(map, name, 0)
    }

    /// The value of a header at this index.
    pub(crate) fn header_at(&self, map: HeaderMap, name: &str, index: usize) -> Option<Vec<u8>> {
        let mut value = Buffer::NONE;
        let count = core::ptr::null_mut();
        // SAFETY: the stream belongs to the present hook; Envoy writes the value, and accepts a null
        // address for the number of values.
        let found = unsafe {
            imports::header(
                self.at,
                map as u32,
                name.into(),
                &raw mut value,
                index,
                count,
            )
        };
        // SAFETY: copied before anything changes.
        found.then(|| unsafe { value.bytes() }.to_vec())
    }

    /// Sets a header, in place of all its values.
    pub(crate) fn set_header(&self, map: HeaderMap, name: &str, value: &str) -> bool {
        // SAFETY: the stream belongs to the present hook, and Envoy copies both texts.
        unsafe { imports::set_header(self.at, map as u32, name.into(), value.into()) }
    }

    /// Adds a value to a header.
    pub(crate) fn add_header(&self, map: HeaderMap, name: &str, value: &[u8]) -> bool {
        // SAFETY: as in `set_header`.
        unsafe { imports::add_header(self.at, map as u32, name.into(), Buffer::lent(value)) }
    }

    /// Removes all values of a header.
    pub(crate) fn remove_header(&self, map: HeaderMap, name: &str) -> bool {
        // SAFETY: as in `set_header`; no value removes the header.
        unsafe { imports::set_header(self.at, map as u32, name.into(), Buffer::NONE) }
    }

    /// Responds instead of forwarding the request.
    pub(crate) fn respond(&self, status: u32, headers: &[(&str, &str)], body: &str, details: &str) {
        let header = |(name, value): &(&str, &str)| Header {
            name: (*name).into(),
            value: (*value).into(),
        };
        let headers: Vec<Header> = headers.iter().map(header).collect();
        // SAFETY: the stream belongs to the present hook, and Envoy copies everything.
        unsafe {
            imports::send_response(
                self.at,
                status,
                headers.as_ptr(),
                headers.len(),
                body.into(),
                details.into(),
            );
        }
    }

    /// Makes Envoy choose the route again, with the present headers.
    pub(crate) fn choose_route_again(&self) {
        // SAFETY: the stream belongs to the present hook.
        unsafe { imports::clear_route_cache(self.at) }
    }

    /// Makes Envoy ask the cluster specifier of the route again.
    pub(crate) fn choose_cluster_again(&self) {
        // SAFETY: the stream belongs to the present hook.
        unsafe { imports::clear_route_cluster_cache(self.at) }
    }

    /// Whether the request goes to this cluster.
    pub(crate) fn goes_to(&self, cluster: &str) -> bool {
        // SAFETY: read before anything changes.
        self.cluster()
            .is_some_and(|name| unsafe { name.bytes() } == cluster.as_bytes())
    }

    /// Whether the request goes to a cluster that exists.
    pub(crate) fn has_cluster(&self) -> bool {
        self.cluster().is_some()
    }

    fn cluster(&self) -> Option<Buffer> {
        let mut name = Buffer::NONE;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found = unsafe { imports::cluster_name(self.at, &raw mut name) };
        found.then_some(name)
    }

    /// Requests a host for the first attempt. Returns whether Envoy accepts the address.
    pub(crate) fn set_override_host(&self, address: &str) -> bool {
        // SAFETY: the stream belongs to the present hook, and Envoy copies the address.
        unsafe { imports::set_override_host(self.at, address.into(), false) }
    }

    /// Sets a text in the dynamic metadata of the request.
    pub(crate) fn set_metadata(&self, namespace: &str, key: &str, value: &str) {
        // SAFETY: the stream belongs to the present hook, and Envoy copies the texts.
        unsafe { imports::set_metadata_text(self.at, namespace.into(), key.into(), value.into()) }
    }

    /// The keys of a namespace.
    pub(crate) fn metadata_keys(
        &self,
        source: MetadataSource,
        namespace: &str,
    ) -> Vec<MetadataKey> {
        // SAFETY: the stream belongs to the present hook.
        let count =
            unsafe { imports::metadata_keys_count(self.at, source as u32, namespace.into()) };
        let mut keys = vec![Buffer::NONE; count];
        // SAFETY: Envoy fills as many places as it has just announced.
        let found = count > 0
            && unsafe {
                imports::metadata_keys(self.at, source as u32, namespace.into(), keys.as_mut_ptr())
            };
        let copied = |key: Buffer| MetadataKey {
            // SAFETY: copied before anything changes.
            name: String::from_utf8_lossy(unsafe { key.bytes() }).into_owned(),
            address: key.address(),
        };
        if found {
            keys.into_iter().map(copied).collect()
        } else {
            Vec::new()
        }
    }

    /// A text of a namespace.
    pub(crate) fn metadata_text(
        &self,
        source: MetadataSource,
        namespace: &str,
        key: &str,
    ) -> Option<Vec<u8>> {
        let mut value = Buffer::NONE;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found = unsafe {
            imports::metadata_text(
                self.at,
                source as u32,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        // SAFETY: copied before anything changes.
        found.then(|| unsafe { value.bytes() }.to_vec())
    }

    /// A number of a namespace.
    pub(crate) fn metadata_number(
        &self,
        source: MetadataSource,
        namespace: &str,
        key: &str,
    ) -> Option<f64> {
        let mut value = 0.0;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found = unsafe {
            imports::metadata_number(
                self.at,
                source as u32,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        found.then_some(value)
    }

    /// A truth value of a namespace.
    pub(crate) fn metadata_bool(
        &self,
        source: MetadataSource,
        namespace: &str,
        key: &str,
    ) -> Option<bool> {
        let mut value = false;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found = unsafe {
            imports::metadata_bool(
                self.at,
                source as u32,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        found.then_some(value)
    }

    /// Stores a value for access logs.
    pub(crate) fn store(&self, key: &str, value: &str) -> bool {
        // SAFETY: the stream belongs to the present hook, and Envoy copies both texts.
        unsafe { imports::set_filter_state(self.at, key.into(), value.into()) }
    }

    /// The address of the host that Envoy tried last.
    pub(crate) fn upstream_address(&self) -> Option<Vec<u8>> {
        self.attribute(UPSTREAM_ADDRESS)
    }

    /// How often Envoy has tried to find a host; `None` if this version does not tell.
    pub(crate) fn attempts(&self) -> Option<u64> {
        let mut count = 0;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found =
            unsafe { imports::attribute_number(self.at, UPSTREAM_ATTEMPTS, &raw mut count) };
        found.then_some(count)
    }

    /// The origin of the response (`%RESPONSE_CODE_DETAILS%`).
    pub(crate) fn response_details(&self) -> Option<Vec<u8>> {
        self.attribute(RESPONSE_CODE_DETAILS)
    }

    fn attribute(&self, attribute: u32) -> Option<Vec<u8>> {
        let mut value = Buffer::NONE;
        // SAFETY: the stream belongs to the present hook, and Envoy writes the variable.
        let found = unsafe { imports::attribute_text(self.at, attribute, &raw mut value) };
        // SAFETY: copied before anything changes.
        found.then(|| unsafe { value.bytes() }.to_vec())
    }
}
