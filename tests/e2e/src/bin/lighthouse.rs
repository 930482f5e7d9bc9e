//! Rates the first load of the playground with Lighthouse, a line of JSON for each figure; `cargo xtask bench --only
//! lighthouse` starts it.

use anyhow::Result;

fn main() -> Result<()> {
    spillgate_e2e::lighthouse::run(|figure| println!("{figure}"))
}
