//! How much a long check does: a short form with every test run, a full form for a release.

use std::{env, fmt::Display};

/// `short`, or `full` if the environment variable `SPILLGATE_FULL` is set and not empty, as
/// `cargo xtask reliability` sets it.
#[must_use]
pub fn amount<T>(short: T, full: T) -> T {
    if env::var_os("SPILLGATE_FULL").is_some_and(|value| !value.is_empty()) {
        full
    } else {
        short
    }
}

/// Begins a line with the result of a check, as tools/xtask/reliability.json lists it.
pub const FIGURE: &str = "figure: ";

/// Prints the result of a check, one line, for `cargo xtask reliability`.
pub fn figure(text: impl Display) {
    println!("{FIGURE}{text}");
}
