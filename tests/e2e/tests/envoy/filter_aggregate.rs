//! An aggregate target: the filter chooses the member, and Envoy goes there.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use rstest::rstest;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::shop::{Shop, member_of};
use spillgate_e2e::{SIGNIFICANCE, Workdir, chi_square_p};

const REQUESTS: u64 = 7_000;

#[rstest]
fn a_partly_healthy_primary_shares_with_the_secondary(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    shares_are_the_engines(form, "filter_shares", "hhhhhuuuuu", "hhhhh", 70.0)
}

#[rstest]
fn a_dead_primary_leaves_all_to_the_secondary(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    shares_are_the_engines(form, "filter_failover", "uuuuuxuuuu", "hhhhh", 0.0)
}

#[rstest]
fn in_total_panic_hosts_are_counted(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    shares_are_the_engines(form, "filter_panic", "huuuuuuuu", "huu", 75.0)
}

/// Members and hosts get the engine's shares; each key stays with its host within a member; the
/// counters are what the hosts saw.
fn shares_are_the_engines(
    form: FilterForm,
    name: &str,
    primary: &str,
    secondary: &str,
    primary_share: f64,
) -> Result<()> {
    let workdir = Workdir::in_form(name, form)?;
    let mut shop = Shop::open(&workdir, primary, secondary)?;
    let engine = shop.engine(primary, secondary)?;
    let mut members: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..REQUESTS {
        let key = format!("user-{number}");
        let visit = shop.visit(&key, &[])?;
        let member = member_of(&visit.host);
        *members.entry(member).or_default() += 1;
        ensure!(
            engine.pick(member, &key)? == Some(&visit.host),
            "{key} went to {} of {member}, not to {:?}",
            visit.host,
            engine.pick(member, &key)?
        );
    }
    let count = |member| members.get(member).copied().unwrap_or(0);
    let shares = engine.shares("shop")?;
    let share = |member: &str| {
        shares
            .priorities
            .get(&(member.to_owned(), 0))
            .copied()
            .unwrap_or(0.0)
    };
    ensure!(
        (share("primary") - primary_share).abs() < 1e-9,
        "{:?}",
        shares.priorities
    );
    let cells = ["primary", "secondary"].map(|member| (count(member), share(member)));
    let p = chi_square_p(&cells)?;
    ensure!(p > SIGNIFICANCE, "{cells:?} have probability {p:e}");

    for member in ["primary", "secondary"] {
        let prefix = format!("spillgate.decisions.cluster.{member}.");
        let decisions = shop.envoy.stats(&prefix)?;
        let decided: u64 = decisions.iter().map(|(_, count)| count).sum();
        ensure!(
            decided == count(member),
            "{member}: {} but {decisions:?}",
            count(member)
        );
        let served = shop
            .envoy
            .stat(&format!("cluster.{member}.upstream_rq_200"))?;
        ensure!(
            served == count(member),
            "{member}: {} but Envoy counts {served}",
            count(member)
        );
    }
    shop.envoy.check_filter()
}
