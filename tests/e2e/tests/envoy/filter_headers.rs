//! Headers that clients send to the filter, and what the filter reveals.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::Value;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::Workdir;
use spillgate_e2e::config::{CLUSTER_HEADER, HOST_HEADER};
use spillgate_e2e::shop::{DEBUG_SECRET, PRIVATE_CLUSTER, Shop, TRACE_HEADER, member_of};

const PRIMARY: &str = "hhhhhuuuuu";
const SECONDARY: &str = "hhhhh";

/// Forged headers, each set tried with many keys: one copy, several, mixed case, a list, with
/// other headers between the copies.
fn forgeries(victim: &str) -> Vec<Vec<(String, String)>> {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let list = format!("{victim},127.3.0.1:1");
    vec![
        vec![header(HOST_HEADER, victim)],
        vec![header(HOST_HEADER, victim), header(HOST_HEADER, victim)],
        vec![
            header("X-Spillgate-Host", victim),
            header("x-other", "1"),
            header("X-SPILLGATE-HOST", &list),
            header(HOST_HEADER, ""),
        ],
        vec![header(CLUSTER_HEADER, PRIVATE_CLUSTER)],
        vec![
            header("X-Spillgate-Cluster", PRIVATE_CLUSTER),
            header("x-SPILLGATE-cluster", PRIVATE_CLUSTER),
            header("X-Spillgate-Host", victim),
        ],
        vec![
            header(TRACE_HEADER, "forged"),
            header("X-SpillGate-Trace", "forged"),
        ],
        // A name that ends in ours, and one with a space before the colon's place.
        vec![
            header("y-x-spillgate-host", victim),
            header(HOST_HEADER, &format!(" {victim} ")),
        ],
    ]
}

#[rstest]
fn forged_headers_steer_nothing_and_reach_no_host(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_forged", form)?;
    let mut shop = Shop::open(&workdir, PRIMARY, SECONDARY)?;
    let engine = shop.engine(PRIMARY, SECONDARY)?;
    // Unhealthy, so that no request is sent there; Envoy would still follow an override.
    let victim = shop.host("127.3.0.9");
    for forged in forgeries(&victim) {
        let headers: Vec<(&str, &str)> = forged
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        for number in 0..200 {
            let key = format!("user-{number}");
            let visit = shop.visit(&key, &headers)?;
            // Which member serves is random; within each the key decides.
            let allowed = [
                engine.pick("primary", &key)?,
                engine.pick("secondary", &key)?,
            ];
            ensure!(
                allowed.contains(&Some(&visit.host)),
                "{headers:?} led {key} to {}, not to one of {allowed:?}",
                visit.host
            );
            ensure!(visit.trace.is_none(), "{headers:?} brought a trace");
        }
    }
    shop.envoy.check_filter()
}

#[rstest]
fn a_decision_is_revealed_only_for_the_secret(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_trace", form)?;
    let mut shop = Shop::open(&workdir, PRIMARY, SECONDARY)?;
    let (name, secret) = DEBUG_SECRET;
    for wrong in ["", "open", "open sesam", "open sesame!", "Open Sesame", "1"] {
        let visit = shop.visit("user", &[(name, wrong)])?;
        ensure!(visit.trace.is_none(), "{wrong:?} brought {:?}", visit.trace);
    }
    let mut owners = BTreeSet::new();
    for number in 0..100 {
        let visit = shop.visit(&format!("user-{number}"), &[(name, secret)])?;
        let trace = visit.trace.context("the secret brought no trace")?;
        let trace: Value = serde_json::from_str(&trace).with_context(|| trace.clone())?;
        ensure!(trace["cluster"] == "shop", "{trace}");
        ensure!(
            trace["endpoint"] == visit.host.as_str(),
            "{trace} but {}",
            visit.host
        );
        ensure!(trace["candidates"][0] == visit.host.as_str(), "{trace}");
        ensure!(
            trace["reason"] == "chosen" && trace["priority"] == 0,
            "{trace}"
        );
        ensure!(
            trace.get("steps").is_none(),
            "steps are not asked for: {trace}"
        );
        let owner = trace["owner"].as_str().context("no owner")?;
        ensure!(
            owner == member_of(&visit.host),
            "{trace} but {}",
            visit.host
        );
        owners.insert(owner.to_owned());
    }
    ensure!(owners.len() == 2, "only {owners:?} served");
    shop.envoy.check_filter()
}
