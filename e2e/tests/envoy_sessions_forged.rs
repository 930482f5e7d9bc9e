//! Forged tokens against the filter in Envoy: it accepts none, and none breaks it.

use std::collections::BTreeMap;
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::json;
use spillgate_core::draw::SplitMix64;
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{Bootstrap, plain, priority};
use spillgate_e2e::hostile::{TOKEN_KINDS, forged};
use spillgate_e2e::sessions::{COOKIE, Gateway, Visitor, begun, round, sticky};
use spillgate_e2e::{Client, Port, Workdir, fresh_secret, full};

/// Forged tokens in all, in short and in full form.
const TOKENS: [usize; 2] = [20_000, 1_000_000];
const CLIENTS: usize = 4;
/// Tokens that are tampered with, spread over all hosts.
const GOOD: usize = 50;
/// Envoy's count of wasm VMs made so far.
const CREATED: &str = "wasm.envoy.wasm.runtime.v8.created";

#[test]
fn no_forged_token_is_taken() -> Result<()> {
    let [short, long] = TOKENS;
    let tokens = if full() { long } else { short };
    let workdir = Workdir::new("sessions_forged")?;
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
    let refused = envoy.stats("wasmcustom.spillgate.sessions.refused.")?;
    println!("{refused:?}");
    let all: u64 = refused.iter().map(|(_, count)| count).sum();
    ensure!(all == tokens as u64, "{all} are refused");
    let kept = envoy.stat("wasmcustom.spillgate.sessions.kept")?;
    ensure!(kept == 0, "{kept} are taken");
    let new = envoy.stat("wasmcustom.spillgate.sessions.new")?;
    ensure!(new == (tokens + GOOD) as u64, "{new} sessions began");
    let now = envoy.stat(CREATED)?;
    ensure!(
        now == vms,
        "a VM was created again: {vms} before, {now} after"
    );
    // The good ones still are, and lead where they led.
    ensure!(round(&mut client, &mut visitors)? == first);
    let kept = envoy.stat("wasmcustom.spillgate.sessions.kept")?;
    ensure!(kept == GOOD as u64, "{kept} good ones are taken");
    envoy.check_filter()?;
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
