//! Values that both sides pass.

use core::{ffi::c_void, slice};

/// An object of the host.
pub(crate) type Address = *mut c_void;
/// An object of the module.
pub(crate) type Own = *const c_void;

/// A text that one side lends to the other.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct AbiBuffer {
    at: *const u8,
    length: usize,
}

/// A header that one side lends to the other.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct AbiHeader {
    pub(crate) name: AbiBuffer,
    pub(crate) value: AbiBuffer,
}

impl AbiBuffer {
    /// No text.
    pub(crate) const NULL: Self = Self {
        at: core::ptr::null(),
        length: 0,
    };

    /// Lends a text.
    pub(crate) const fn lent(text: &[u8]) -> Self {
        Self {
            at: text.as_ptr(),
            length: text.len(),
        }
    }

    pub(crate) const fn is_null(self) -> bool {
        self.at.is_null()
    }

    /// A copy of a text that the module lends for this call.
    pub(crate) fn copied(self) -> Box<[u8]> {
        if self.at.is_null() {
            assert_eq!(self.length, 0, "a null text has a length");
            return Box::default();
        }
        // SAFETY: the module lends the text for the call.
        unsafe { slice::from_raw_parts(self.at, self.length) }.into()
    }

    /// A copy of a text that the module lends for this call; it must be UTF-8.
    pub(crate) fn text(self) -> String {
        String::from_utf8(self.copied().into()).expect("the module passes UTF-8")
    }
}

/// Fills one of the module's variables.
///
/// # Panics
/// If the address is null.
pub(crate) fn fill<T>(variable: *mut T, value: T) {
    assert!(!variable.is_null(), "the module passes a null address");
    // SAFETY: the module passes the address of a variable that exists during the call.
    unsafe { variable.write(value) }
}

/// Fills an array of the module, which has as many places as the host has announced.
pub(crate) fn fill_all<T>(array: *mut T, values: impl Iterator<Item = T>) {
    for (at, value) in values.enumerate() {
        // SAFETY: the array has this place.
        fill(unsafe { array.add(at) }, value);
    }
}

/// The elements of an array that the module lends for this call.
pub(crate) fn lent_array<'a, T>(array: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    assert!(!array.is_null(), "the module passes a null array");
    // SAFETY: the module lends the array for the call.
    unsafe { slice::from_raw_parts(array, count) }
}
