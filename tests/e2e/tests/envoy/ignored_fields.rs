//! Fields that are ignored change no choice of the real Envoy.

use anyhow::{Result, ensure};
use spillgate_e2e::ignored_fields::{Ablation, AblationOptions};
use spillgate_e2e::{SIGNIFICANCE, Workdir, amount, figure};

#[test]
fn no_ignored_field_changes_a_choice() -> Result<()> {
    let workdir = Workdir::new("ignored_fields")?;
    let options = AblationOptions {
        configurations: amount(1, 20),
        fields_at_a_time: amount(60, 12),
        requests: amount(320, 480),
        seed: 31,
    };
    let found = Ablation::run(&workdir, options)?;
    ensure!(found.detects, "a removed request header changed no choice");
    ensure!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n")
    );
    let lowest = found.probabilities.iter().map(|(_, p)| *p);
    let lowest = lowest.fold(1.0, f64::min);
    ensure!(lowest >= SIGNIFICANCE, "{:?}", found.probabilities);
    figure(format_args!(
        "{} fields in {} configurations, {} requests, 0 differences; {} random choices, lowest p {lowest:.3}",
        found.fields, options.configurations, found.requests, found.random_choices
    ));
    Ok(())
}
