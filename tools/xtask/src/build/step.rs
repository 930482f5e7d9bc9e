//! Steps of a build: what is built, and how long it took.

use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};

/// Prints what is built, and at its end how long it took.
pub fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("building {what}");
    let start = Instant::now();
    let built = work()?;
    println!("built {what} in {:.0} s", start.elapsed().as_secs_f64());
    Ok(built)
}

/// Does two things at a time: linking a module keeps one core busy. Ends when both have ended, with the
/// first error.
pub fn side_by_side<T: Send, U>(
    one: impl FnOnce() -> Result<T> + Send,
    other: impl FnOnce() -> Result<U>,
) -> Result<(T, U)> {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one
            .join()
            .map_err(|_| anyhow!("a step of the build panicked"))?;
        Ok((one?, other?))
    })
}
