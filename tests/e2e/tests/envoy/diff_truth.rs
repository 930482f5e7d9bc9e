//! Verdicts of a comparison of two configurations against the real Envoy, a short run, and whether such a run would
//! notice anything.

use anyhow::{Result, ensure};
use spillgate_diff::DiffReport;
use spillgate_e2e::Workdir;
use spillgate_e2e::diff_truth::{PairChange, TruthSettings, run};

/// Each kind of change at least once.
const PAIRS: u64 = PairChange::ALL.len() as u64;

fn settings(seed: u64, workdir: &Workdir) -> TruthSettings {
    TruthSettings {
        pairs: PAIRS,
        seed,
        limit: None,
        findings: workdir.path().join("findings"),
        sabotage: None,
    }
}

#[test]
fn verdicts_are_true() -> Result<()> {
    let workdir = Workdir::new("diff_truth")?;
    let summary = run(&settings(1, &workdir), &workdir)?;
    println!("{summary}");
    ensure!(summary.wrong.is_empty(), "{summary}");
    ensure!(summary.pairs.len() == PairChange::ALL.len(), "{summary}");
    ensure!(
        summary.determined > 0 && summary.random > 0 && summary.tests() > 0,
        "nothing was compared: {summary}"
    );
    Ok(())
}

#[test]
fn a_comparison_that_sees_no_change_is_noticed() -> Result<()> {
    let workdir = Workdir::new("diff_truth_blind")?;
    let mut settings = settings(1, &workdir);
    settings.sabotage = Some(|report: &mut DiffReport| {
        report.clusters.clear();
        report.routes.clear();
    });
    let summary = run(&settings, &workdir)?;
    ensure!(summary.wrong.len() >= 3, "{summary}");
    Ok(())
}

#[test]
fn figures_of_the_other_direction_are_noticed() -> Result<()> {
    let workdir = Workdir::new("diff_truth_figures")?;
    let mut settings = settings(1, &workdir);
    settings.sabotage = Some(|report: &mut DiffReport| {
        let clusters = report.clusters.iter_mut();
        for share in clusters
            .flat_map(|of| &mut of.requests)
            .flat_map(|of| &mut of.hosts)
        {
            std::mem::swap(&mut share.before, &mut share.after);
        }
    });
    let summary = run(&settings, &workdir)?;
    ensure!(summary.wrong.len() >= 2, "{summary}");
    Ok(())
}
