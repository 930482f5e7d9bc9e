//! The functions for the playground, which calls them in this order: [`text_place`] for each text, [`read_texts`], [`answer_place`].
//!
//! The texts are in vectors of this module, and only addresses and lengths are passed, so nothing
//! here reads or writes through a pointer.
#![allow(
    unsafe_code,
    reason = "an exported name is declared unsafe: it must be the only one in the module"
)]

use alloc::vec::Vec;
use core::cell::RefCell;
use std::thread_local;

use crate::memory;

/// The texts and the answer.
#[derive(Debug, Default)]
struct Exchange {
    texts: [Vec<u8>; 2],
    answer: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Allocates `length` bytes for the configuration or scenario file (0), or for the output of `/clusters`
/// or the question about the scenario (any other number), and returns their address.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn text_place(text: usize, length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|Exchange { texts, .. }| {
        let [config, clusters] = texts;
        let text = if text == 0 { config } else { clusters };
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Reads both texts, and returns the length of the answer in bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn read_texts() -> usize {
    EXCHANGE.with_borrow_mut(|Exchange { texts, answer }| {
        memory::reserve(texts);
        let [config, clusters] = core::mem::take(texts);
        *answer = super::answer(&config, &clusters);
        answer.len()
    })
}

/// The address of the answer, until the next call of [`read_texts`].
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_place() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_empty_texts_is_available() {
        // Empty texts need no writing through the addresses.
        text_place(0, 0);
        text_place(1, 0);
        let length = read_texts();
        assert!(length > 0 && !answer_place().is_null());
        EXCHANGE.with_borrow(|exchange| {
            assert_eq!(exchange.answer, super::super::answer(b"", b""));
            assert!(
                exchange.texts.iter().all(Vec::is_empty),
                "texts are dropped"
            );
        });
    }
}
