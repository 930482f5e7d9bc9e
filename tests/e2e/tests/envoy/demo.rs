//! The demo does what its README says, with both forms of the filter: the checks of
//! `cargo xtask demo --check`.

use anyhow::{Result, ensure};
use rstest::rstest;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::{Workdir, demo};
use spillgate_testkit::demo::check;

#[rstest]
fn the_demo_keeps_its_promises(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let workdir = Workdir::in_form("demo", form)?;
    let mut demo = demo::start(&workdir)?;
    let mut outcomes = check(&mut demo, |_| Ok(()))?;
    outcomes.retain(|one| one.fault.is_some());
    let log = demo.envoy.process.log_end();
    ensure!(
        outcomes.is_empty(),
        "{outcomes:#?}\nEnvoy's log ends with:\n{log}"
    );
    Ok(())
}
