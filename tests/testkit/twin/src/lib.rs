//! The answers of the commands and of the filter, for a host of this module: it calls [`answer_seed`], then
//! [`answer_place`].
#![allow(
    unsafe_code,
    reason = "an exported name is declared unsafe: it must be the only one in the module"
)]

use std::cell::RefCell;

use spillgate_testkit::twins::both;

thread_local! {
    static ANSWER: RefCell<String> = RefCell::default();
}

/// Answers a seed with [`both`]; the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_seed(seed: u64) -> usize {
    ANSWER.with_borrow_mut(|kept| {
        *kept = both(seed);
        kept.len()
    })
}

/// Where the answer is, until the next call of [`answer_seed`].
#[unsafe(no_mangle)]
pub extern "C" fn answer_place() -> *const u8 {
    ANSWER.with_borrow(|kept| kept.as_ptr())
}
