//! Measures the cost of live health in a real Envoy, a line of JSON for each figure; `cargo xtask
//! bench` starts it.

use anyhow::Result;

fn main() -> Result<()> {
    for figure in spillgate_e2e::polls::run()? {
        println!("{}", figure.json());
    }
    Ok(())
}
