//! How fast the playground is in a real browser: until it is interactive, from an input to the laid out result, from
//! a text to its clusters, and in the first run of the shipped filter. A loop of the browser alone shows how fast the
//! machine is meanwhile.
//!
//! The files are served compressed, as servers of the playground do.

mod calibration;
mod engine;
mod figure;
mod filter;
mod inputs;
mod reading;
mod visits;

pub use figure::PageTime;

use anyhow::Result;

use crate::Workdir;
use crate::playground::Playground;

/// Measures everything; `take` gets each figure when it is known.
///
/// # Errors
/// If the playground does not work.
pub fn run(mut take: impl FnMut(PageTime)) -> Result<()> {
    let workdir = Workdir::new("page_speed")?;
    let page = Playground::open_compressed(&workdir)?;
    take(calibration::figure(&page, "calibration loop before")?);
    visits::run(&page, &mut take)?;
    engine::run(&page, &mut take)?;
    inputs::run(&page, &mut take)?;
    reading::run(&page, &mut take)?;
    filter::run(&page, &mut take)?;
    take(calibration::figure(&page, "calibration loop after")?);
    page.finish()
}
