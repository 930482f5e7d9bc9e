//! The types of the ABI that both sides pass by value.

use core::ffi::c_void;
use core::slice;

/// An object of Envoy.
pub(crate) type Address = *mut c_void;

/// A text that one side lends to the other (`envoy_buffer`, `module_buffer`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buffer {
    at: *const u8,
    length: usize,
}

impl Buffer {
    /// No text. As the value of a header, it removes the header.
    pub(crate) const NONE: Self = Self {
        at: core::ptr::null(),
        length: 0,
    };

    /// Lends a text to Envoy for one call.
    pub(crate) const fn lent(text: &[u8]) -> Self {
        Self {
            at: text.as_ptr(),
            length: text.len(),
        }
    }

    /// Where the text is.
    pub(crate) fn address(self) -> usize {
        self.at.addr()
    }

    /// The text.
    ///
    /// # Safety
    /// The buffer must come from Envoy, and Envoy must keep its text unchanged for the lifetime `'a`:
    /// until the hook returns, or until a callback changes what the text belongs to.
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.at.is_null() || self.length == 0 {
            return &[];
        }
        // SAFETY: the address is not null, and the caller guarantees the rest.
        unsafe { slice::from_raw_parts(self.at, self.length) }
    }
}

impl From<&str> for Buffer {
    fn from(text: &str) -> Self {
        Self::lent(text.as_bytes())
    }
}

/// A header (`envoy_http_header`, `module_http_header`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    pub(crate) name: Buffer,
    pub(crate) value: Buffer,
}

impl Header {
    /// An empty place, for Envoy to fill.
    pub(crate) const NONE: Self = Self {
        name: Buffer::NONE,
        value: Buffer::NONE,
    };
}

/// The number that Envoy assigns to a metric.
pub(crate) type Metric = usize;
