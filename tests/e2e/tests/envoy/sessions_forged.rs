//! Forged tokens against the filter in Envoy: it accepts none, and none breaks it.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::draw::SplitMix64;
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{Bootstrap, plain, priority};
use spillgate_e2e::hostile::{TOKEN_KINDS, forged};
use spillgate_e2e::sessions::{COOKIE, Gateway, Visitor, begun, round, sticky};
use spillgate_e2e::{Client, Port, Workdir, amount, figure, fresh_secret};

/// Forged tokens in all, in short and in full form.
const TOKENS: [usize; 2] = [20_000, 1_000_000];
const CLIENTS: usize = 4;
/// Tokens that are tampered with, spread over all hosts.
const GOOD: usize = 50;
/// Envoy's count of wasm VMs made so far.
const CREATED: &str = "wasm.envoy.wasm.runtime.v8.created";

#[rstest]
fn no_forged_token_is_taken(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let [short, full] = TOKENS;
    let tokens = amount(short, full);
    let workdir = Workdir::in_form("sessions_forged", form)?;
    let hosts = Port::lease()?;
    let priorities = vec![priority("127.13.0", hosts.number(), "hhhhh")?];
    let cluster: Cluster = plain("shop", Policy::RoundRobin, priorities);
    let key = fresh_secret()?;
    let filter = json!({"target": "shop", "affinity": sticky(&[(1, &key)])});
    let gateway = Gateway::configured(&workdir, &[&cluster], filter, Bootstrap::new())?;
    let envoy = &gateway.envoy;

    let mut client = gateway.client();
    let (mut visitors, first) = begun(&mut client, GOOD)?;
    let good = visitors
        .iter()
        .map(|visitor| visitor.cookie(COOKIE).map(str::to_owned));
    let good: Vec<String> = good.collect::<Option<_>>().context("no session began")?;
    let vms = envoy.stat(CREATED)?;
    let outcomes = thread::scope(|scope| {
        let attack = |seed| {
            let (good, client) = (&good, gateway.client());
            scope.spawn(move || attack(client, good, seed as u64, tokens / CLIENTS))
        };
        let clients: Vec<_> = (1..=CLIENTS).map(attack).collect();
        clients
            .into_iter()
            .map(|client| client.join().map_err(|_| anyhow!("a client panicked"))?)
            .collect::<Result<Vec<Sent>>>()
    })?;

    let of = |kind: &str| -> u64 { outcomes.iter().filter_map(|sent| sent.get(kind)).sum() };
    println!("{tokens} forged tokens, each answered as a new client's request:");
    for kind in TOKEN_KINDS {
        println!("{:>8} {kind}", of(kind));
        ensure!(of(kind) > 0, "{kind}: none was sent");
    }
    let refused = envoy.stats("spillgate.sessions.refused.")?;
    println!("{refused:?}");
    let all: u64 = refused.iter().map(|(_, count)| count).sum();
    ensure!(all == tokens as u64, "{all} are refused");
    let kept = envoy.stat("spillgate.sessions.kept")?;
    ensure!(kept == 0, "{kept} are taken");
    let new = envoy.stat("spillgate.sessions.new")?;
    ensure!(new == (tokens + GOOD) as u64, "{new} sessions began");
    let now = envoy.stat(CREATED)?;
    ensure!(
        now == vms,
        "a VM was created again: {vms} before, {now} after"
    );
    // The good ones still are, and lead where they led.
    ensure!(round(&mut client, &mut visitors)? == first);
    let kept = envoy.stat("spillgate.sessions.kept")?;
    ensure!(kept == GOOD as u64, "{kept} good ones are taken");
    envoy.check_filter()?;
    figure(format_args!("{tokens} forged tokens, 0 accepted"));
    Ok(())
}

/// How many were sent, by kind.
type Sent = BTreeMap<&'static str, u64>;

/// Sends that many; each must be answered with a token of a new session.
fn attack(mut client: Client, good: &[String], seed: u64, count: usize) -> Result<Sent> {
    let mut draw = SplitMix64::new(seed);
    let mut sent = Sent::new();
    for number in 0..count {
        let (kind, token) = forged(&mut draw, good)?;
        let mut visitor = Visitor::with_cookie(COOKIE, &token);
        let host = visitor.visit(&mut client);
        let which = || format!("seed {seed}, token {number}, {kind}");
        host.with_context(which)?;
        ensure!(
            visitor.cookie(COOKIE) != Some(&*token),
            "{} is taken",
            which()
        );
        *sent.entry(kind).or_default() += 1;
    }
    Ok(sent)
}

/// Requests of each kind of token whose latency is measured, in short and in full form.
const MEASURED: [usize; 2] = [200, 10_000];
/// The largest difference between the medians of two kinds in the full form, in percent.
const FLAT: f64 = 10.0;

/// How long an answer takes must not tell a forger how far a token came.
#[rstest]
fn the_latency_does_not_depend_on_the_kind_of_forgery(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_forged_latency", form)?;
    let hosts = Port::lease()?;
    let priorities = vec![priority("127.24.0", hosts.number(), "hhhhh")?];
    let cluster: Cluster = plain("shop", Policy::RoundRobin, priorities);
    let key = fresh_secret()?;
    let filter = json!({"target": "shop", "affinity": sticky(&[(1, &key)])});
    let gateway = Gateway::configured(&workdir, &[&cluster], filter, Bootstrap::new())?;
    let mut client = gateway.client();
    let (visitors, _) = begun(&mut client, GOOD)?;
    let good = visitors
        .iter()
        .map(|visitor| visitor.cookie(COOKIE).map(str::to_owned));
    let good: Vec<String> = good.collect::<Option<_>>().context("no session began")?;

    let [short, full] = MEASURED;
    let measured = amount(short, full);
    let mut draw = SplitMix64::new(7);
    let mut latencies: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    // The kinds come in random order, so that other load on the machine affects all of them.
    for _ in 0..measured * TOKEN_KINDS.len() {
        let (kind, token) = forged(&mut draw, &good)?;
        let cookie = format!("{COOKIE}={token}");
        let begun = Instant::now();
        let answer = client.once("GET", "/", &[("cookie", &cookie)])?;
        let took = begun.elapsed();
        ensure!(answer.status == 200, "{kind}: {}", answer.status);
        latencies.entry(kind).or_default().push(took);
    }
    let mut medians = Vec::new();
    for (kind, mut of) in latencies {
        of.sort_unstable();
        let median = of.get(of.len() / 2).context("no sample")?.as_secs_f64() * 1e6;
        println!("{median:>8.1} us median with {kind}");
        medians.push(median);
    }
    ensure!(
        medians.len() == TOKEN_KINDS.len(),
        "not every kind was sent"
    );
    let lowest = medians.iter().copied().fold(f64::MAX, f64::min);
    let highest = medians.iter().copied().fold(0.0, f64::max);
    let apart = (highest / lowest - 1.0) * 100.0;
    figure(format_args!(
        "medians of {} kinds of forged tokens from {lowest:.0} to {highest:.0} us, {apart:.1} % apart, {measured} \
         requests each",
        medians.len()
    ));
    // A few samples on a busy machine say nothing.
    ensure!(apart <= amount(f64::INFINITY, FLAT), "{apart:.1} % apart");
    Ok(())
}
