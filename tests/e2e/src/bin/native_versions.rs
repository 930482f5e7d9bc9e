//! Checks the dynamic module on several versions of Envoy; `cargo xtask reliability native-versions`
//! starts it.

use anyhow::Result;
use spillgate_e2e::{figure, versions::check_versions};

fn main() -> Result<()> {
    for line in check_versions()? {
        figure(line);
    }
    Ok(())
}
