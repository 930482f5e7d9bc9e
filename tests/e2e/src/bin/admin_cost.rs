//! Measures the time from a running Envoy to an answer, a line of JSON for each figure; `cargo xtask bench` starts
//! it.

use anyhow::Result;

fn main() -> Result<()> {
    for figure in spillgate_e2e::admin_cost::run()? {
        println!("{figure}");
    }
    Ok(())
}
