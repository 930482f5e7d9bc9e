//! The functions for `www/embed.js`, which calls them in this order: [`interface`] once, then
//! [`request_place`], [`answer_request`], [`answer_place`] for each answer.
//!
//! Request and answer are in vectors of this module, and only addresses and lengths are passed, so
//! nothing here reads or writes through a pointer.
#![allow(
    unsafe_code,
    reason = "an exported name is declared unsafe: it must be the only one in the module"
)]

use std::cell::RefCell;

/// The number that script and module must agree on. A browser can have one of them from its cache.
const INTERFACE: u32 = 1;

/// The request and the answer.
#[derive(Debug, Default)]
struct Exchange {
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// The version of these functions, of the request and of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn interface() -> u32 {
    INTERFACE
}

/// Allocates `length` bytes for the request, in UTF-8, and returns their address.
#[unsafe(no_mangle)]
pub extern "C" fn request_place(length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|Exchange { request, .. }| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_request() -> usize {
    EXCHANGE.with_borrow_mut(|Exchange { request, answer }| {
        let request = core::mem::take(request);
        *answer = super::answer::answer_bytes(&request);
        answer.len()
    })
}

/// The address of the answer, until the next call of [`answer_request`].
#[unsafe(no_mangle)]
pub extern "C" fn answer_place() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_an_empty_request_is_available() {
        assert_eq!(interface(), 1);
        // An empty request needs no writing through the address.
        request_place(0);
        let length = answer_request();
        assert!(length > 0 && !answer_place().is_null());
        EXCHANGE.with_borrow(|exchange| {
            assert_eq!(exchange.answer, super::super::answer(""));
            assert!(exchange.request.is_empty(), "the request is dropped");
        });
    }
}
