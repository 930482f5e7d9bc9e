//! Real names and many rows: no label overlaps another one, leaves its figure or is cut without a
//! title, and the playground does not scroll sideways, from a phone to a wide window.

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::Playground;
use spillgate_scenario::link::{self, Scenario};
use spillgate_testkit::models::{Dice, named_clusters};
use spillgate_testkit::{amount, figure};

const SEED: u64 = 7;
const WIDTHS: [u32; 6] = [320, 390, 768, 1_000, 1_440, 2_560];
const SCREENS: [&str; 2] = ["what-if", "trace"];
/// The scenarios whose other screens are checked, and those of one script.
const EVERY: usize = 10;
const AT_ONCE: usize = 20;

/// The links of some scenarios.
fn scenarios(count: usize) -> Result<Vec<Value>> {
    let scenario = |number: usize| {
        let clusters = named_clusters(&mut Dice::of(SEED, number as u64));
        let root = clusters.len().saturating_sub(1);
        let name = clusters
            .last()
            .map(|cluster| cluster.name.clone())
            .context("no cluster")?;
        let scenario = Scenario::<()>::new(clusters, root)
            .map_err(|error| anyhow!("scenario {number}: {error}"))?;
        Ok(json!({"link": link::write(&scenario), "name": name, "number": number}))
    };
    (0..count).map(scenario).collect()
}

/// The faults of all scenarios at one width.
fn faults(
    page: &Playground,
    scenarios: &[Value],
    screens: &[&str],
    width: u32,
) -> Result<Vec<String>> {
    let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    let mut faults = Vec::new();
    for some in scenarios.chunks(AT_ONCE) {
        let arguments = vec![json!(some), json!(screens), json!(EVERY)];
        let found = page
            .browser
            .script(include_str!("overlaps.js"), arguments)?;
        let found = found.as_array().context("no list")?;
        faults.extend(found.iter().map(|fault| format!("{width} px: {fault}")));
    }
    Ok(faults)
}

#[test]
fn labels_have_room_and_the_page_does_not_scroll_sideways() -> Result<()> {
    let workdir = Workdir::new("page_overlaps")?;
    let page = Playground::open(&workdir)?;
    let count = amount(40, 200);
    let scenarios = scenarios(count)?;
    let mut all = Vec::new();
    for width in WIDTHS {
        all.extend(faults(&page, &scenarios, &SCREENS, width)?);
    }
    let shown = all.iter().take(30).collect::<Vec<_>>();
    ensure!(all.is_empty(), "{} faults: {shown:#?}", all.len());
    figure(format!(
        "{count} configurations at {} widths: no overlap, nothing cut, no sideways scrolling",
        WIDTHS.len()
    ));
    page.finish()
}

#[test]
fn the_timeline_has_room_for_its_labels() -> Result<()> {
    let workdir = Workdir::new("page_overlaps_timeline")?;
    let page = Playground::open(&workdir)?;
    let scenarios = scenarios(1)?;
    let mut all = Vec::new();
    for width in WIDTHS {
        all.extend(faults(&page, &scenarios, &["timeline"], width)?);
    }
    ensure!(all.is_empty(), "{all:#?}");
    page.finish()
}
