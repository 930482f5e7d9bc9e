//! Measures what each click in the page downloads, a line of JSON for each figure; `cargo xtask bench` starts it.

use anyhow::Result;

fn main() -> Result<()> {
    spillgate_e2e::page_bytes::run(|figure| println!("{figure}"))
}
