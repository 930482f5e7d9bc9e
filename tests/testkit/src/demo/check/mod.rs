//! What must hold for a demo, with real requests.
//!
//! Every check runs, also after one that fails.

mod failover;
mod live;
mod page;
mod probe;
mod service;

use anyhow::Result;

use super::RunningDemo;
use probe::Probe;

/// One thing that must hold.
type Check = (&'static str, fn(&mut Probe<'_>) -> Result<()>);

/// In the order in which they run: those of `failover` change the health of hosts and heal them.
const CHECKS: [&[Check]; 4] = [
    &service::CHECKS,
    &page::CHECKS,
    &live::CHECKS,
    &failover::CHECKS,
];

/// The result of one check.
#[derive(Debug)]
pub struct CheckOutcome {
    /// What must hold.
    pub name: &'static str,
    /// Why it does not.
    pub fault: Option<String>,
}

/// Checks a demo in which all hosts are healthy; `each` gets every result as soon as it is there.
///
/// # Errors
/// When the demo does not answer, or `each` fails.
pub fn check(
    demo: &mut RunningDemo,
    mut each: impl FnMut(&CheckOutcome) -> Result<()>,
) -> Result<Vec<CheckOutcome>> {
    let mut probe = Probe::new(demo)?;
    let mut outcomes = Vec::new();
    for (name, check) in CHECKS.into_iter().flatten() {
        let fault = check(&mut probe).err().map(|error| format!("{error:#}"));
        let outcome = CheckOutcome { name, fault };
        each(&outcome)?;
        outcomes.push(outcome);
    }
    Ok(outcomes)
}
