//! Measures how fast the playground is in a real browser, a line of JSON for each figure; `cargo xtask bench` starts
//! it.

use anyhow::Result;

fn main() -> Result<()> {
    spillgate_e2e::page_speed::run(|figure| println!("{}", figure.json()))
}
