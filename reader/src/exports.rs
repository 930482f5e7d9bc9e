//! What the page calls, in this order: [`text_place`] for each text, [`read_texts`], [`answer_place`].
//!
//! Texts lie in vectors of this module, and only addresses and lengths cross the border, so
//! nothing here reads or writes through a pointer.
#![allow(
    unsafe_code,
    reason = "an exported name is declared unsafe: it must be the only one in the module"
)]

use alloc::vec::Vec;
use core::cell::RefCell;
use std::thread_local;

/// What is read and what came of it.
#[derive(Debug, Default)]
struct Exchange {
    texts: [Vec<u8>; 2],
    answer: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Makes room for `length` bytes of the configuration (0) or of what `/clusters` said (any other
/// number), and tells where.
#[unsafe(no_mangle)]
pub extern "C" fn text_place(text: usize, length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|Exchange { texts, .. }| {
        let [config, clusters] = texts;
        let text = if text == 0 { config } else { clusters };
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Reads both texts; the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn read_texts() -> usize {
    EXCHANGE.with_borrow_mut(|Exchange { texts, answer }| {
        let [config, clusters] = core::mem::take(texts);
        *answer = super::answer(&config, &clusters);
        answer.len()
    })
}

/// Where the answer is, until the next call of [`read_texts`].
#[unsafe(no_mangle)]
pub extern "C" fn answer_place() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_in_and_its_answer_comes_out() {
        // Empty texts need no writing through the addresses.
        text_place(0, 0);
        text_place(1, 0);
        let length = read_texts();
        assert!(length > 0 && !answer_place().is_null());
        EXCHANGE.with_borrow(|exchange| {
            assert_eq!(exchange.answer, super::super::answer(b"", b""));
            assert!(
                exchange.texts.iter().all(Vec::is_empty),
                "texts are not kept"
            );
        });
    }
}
