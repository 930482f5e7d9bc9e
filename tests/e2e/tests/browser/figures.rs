//! The playground shows the figures of Envoy's documentation.
//!
//! `envoy_documented` checks the same figures on the real Envoy.

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::Workdir;
use spillgate_e2e::config::{Bootstrap, native};
use spillgate_e2e::documented::{AGGREGATES, PRIORITIES};
use spillgate_e2e::playground::Playground;

/// The port of hosts that get no requests.
const PORT: u16 = 8080;

/// Typed into the number fields.
#[test]
fn rows_of_two_priorities() -> Result<()> {
    let workdir = Workdir::new("page_priorities")?;
    let page = Playground::open(&workdir)?;
    page.choose("preset", "two-priorities")?;
    for row in PRIORITIES {
        page.enter("healthy-P0-number", row.healthy)?;
        page.browser.wait_for("the healthy hosts", |_| {
            let shown = page.shown("healthy-count-P0")?;
            Ok((shown == row.healthy.to_string())
                .then_some(())
                .ok_or(shown))
        })?;
        ensure!(page.shown("hosts-P0")? == "100" && page.shown("healthy-count-P1")? == "100");
        let loads = page.loads(&["P0", "P1"])?;
        ensure!(
            loads == row.loads,
            "{} % healthy: the page shows {loads:?}, Envoy {:?}",
            row.healthy,
            row.loads
        );
        let headline = page.headline()?;
        for (priority, load) in ["P0", "P1"].iter().zip(row.loads) {
            let says = headline.contains(&format!("{priority} takes {load} %"));
            ensure!(says == (load > 0), "{} % healthy: {headline}", row.healthy);
        }
    }
    page.finish()
}

/// Imported as the configuration that Envoy reads.
#[test]
fn rows_of_an_aggregate() -> Result<()> {
    let workdir = Workdir::new("page_aggregates")?;
    let page = Playground::open(&workdir)?;
    for row in AGGREGATES {
        let mut bootstrap = Bootstrap::new();
        for cluster in row.clusters(PORT)? {
            bootstrap = bootstrap.cluster(native(&cluster)?);
        }
        let name = row.name();
        page.import(&bootstrap.to_json("page", 9901)?)
            .with_context(|| format!("at {name}"))?;
        let members = ["primary", "secondary"].map(|member| format!("{name}-{member}"));
        let [primary, secondary] = members.each_ref().map(String::as_str);
        let shares = page.member_shares(&[primary, secondary])?;
        ensure!(
            shares == row.member_loads,
            "{name}: the page shows {shares:?}, Envoy {:?}",
            row.member_loads
        );
        let healthy = page.shown(&format!("healthy-count-{primary}/P0"))?;
        ensure!(
            healthy == row.primary[0].to_string(),
            "{name}: {healthy} healthy"
        );
        // The headline has room for the worst only; the reason below it then has the shares.
        let text = format!("{} {}", page.headline()?, page.shown("reason")?).replace('\n', " ");
        for (member, share) in [primary, secondary].iter().zip(row.member_loads) {
            let says = text.contains(&format!("{member} takes {share} %"));
            ensure!(says == (share > 0), "{name}: {text}");
        }
    }
    page.finish()
}
