//! How fast the page is in a real browser: until it is interactive, from an input to the laid out result, from
//! a text to its clusters. A loop of the browser alone shows how fast the machine is meanwhile.
//!
//! The files are served compressed, as servers of the page do.

mod calibration;
mod engine;
mod figure;
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
/// If the page does not work.
pub fn run(mut take: impl FnMut(PageTime)) -> Result<()> {
    let workdir = Workdir::new("page_speed")?;
    let page = Playground::open_compressed(&workdir)?;
    take(calibration::figure(&page, "calibration loop before")?);
    visits::run(&page, &mut take)?;
    engine::run(&page, &mut take)?;
    inputs::run(&page, &mut take)?;
    reading::run(&page, &mut take)?;
    take(calibration::figure(&page, "calibration loop after")?);
    page.finish()
}
