//! New configurations, new modules and bad ones of both while requests go on: none is lost.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::KEY_HEADER;
use spillgate_e2e::shop::{Shop, member_of};
use spillgate_e2e::{
    Client, Guest, Load, ReferenceEngine, Tally, Workdir, amount, eventually, figure,
};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
/// Active requests at all times.
const CONNECTIONS: u64 = 8;
/// Requests that are looked at after each change, at least.
const LOOKED_AT: u64 = 300;
const SECONDARY: &str = "hhhhh";
const DISCOVERY: &str = "extension_config_discovery.http_filter.spillgate";

#[rstest]
fn changes_under_load_lose_nothing(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let (updates, mut swaps) = amount((8, 3), (50, 20));
    if form == DynamicModule {
        // Another file would be another module, with hosts of its own.
        swaps = 0;
    }
    let workdir = Workdir::in_form("filter_changes_under_load", form)?;
    let shop = Shop::open(&workdir, &health(0), SECONDARY)?;
    let mut site = Site {
        load: Load::start(shop.service(), CONNECTIONS),
        client: Client::new(shop.service()),
        module: shop.delivery.module().to_owned(),
        shop,
        workdir: &workdir,
        served: 0,
    };
    for number in 1..=updates {
        site.shop.change_health(&health(number), SECONDARY)?;
        site.serves(number)
            .with_context(|| format!("update {number}"))?;
    }
    for swap in 1..=swaps {
        let created = site.shop.envoy.stat(CREATED)?;
        let number = updates + swap;
        site.module = site.shipped_with_a_mark(swap)?;
        let configuration = site.configuration(number)?;
        site.shop
            .delivery
            .give_module(&site.module, &configuration)?;
        site.serves(number)
            .with_context(|| format!("swap {swap}"))?;
        let now = site.shop.envoy.stat(CREATED)?;
        ensure!(now > created, "swap {swap} made no VM: {now} as before");
    }
    let mut number = updates + swaps;
    let mut bad = bad(&site)?;
    if form == DynamicModule {
        bad.retain(|case| case.module.is_none());
    }
    let taken = site
        .shop
        .envoy
        .stat(&format!("{DISCOVERY}.update_success"))?;
    for (refused, case) in (1..).zip(&bad) {
        site.give(case.module.as_deref(), &case.text)?;
        eventually(&format!("refusal of {}", case.what), LIMIT, || {
            let count = site.shop.envoy.stat(&format!("{DISCOVERY}.config_fail"))?;
            Ok((count == refused).then_some(()))
        })?;
        site.serves(number).with_context(|| case.what.to_owned())?;
    }
    let now = site
        .shop
        .envoy
        .stat(&format!("{DISCOVERY}.update_success"))?;
    ensure!(now == taken, "a bad configuration was taken");
    let read_by_us = bad.iter().filter(|case| case.refused_by_us).count() as u64;
    let rejected = format!("{DISCOVERY}.update_rejected");
    let mut counts = vec![(&*rejected, bad.len() as u64)];
    // In the dynamic module, a configuration that is refused has no metrics.
    counts.extend((form == Wasm).then_some(("spillgate.config.refused", read_by_us)));
    for (count, expected) in counts {
        let counted = site.shop.envoy.stat(count)?;
        ensure!(counted == expected, "{count} is {counted}, not {expected}");
    }
    // It is not stuck.
    number += 1;
    site.shop.change_health(&health(number), SECONDARY)?;
    let configuration = site.configuration(number)?;
    site.give(None, &configuration)?;
    site.serves(number)?;
    site.shop.envoy.check_filter()?;

    let rest = site.load.stop();
    ensure!(rest.failed == 0, "{:?}", rest.failures);
    figure(format_args!(
        "{updates} updates, {swaps} swaps, {} refusals: {} requests, 0 failed",
        bad.len(),
        site.served + rest.requests
    ));
    Ok(())
}

/// Envoy's count of wasm VMs made so far.
const CREATED: &str = "wasm.envoy.wasm.runtime.v8.created";

/// Three other hosts of ten are unhealthy under every configuration. Seven healthy ones keep all load of
/// their cluster but two percent, and no priority panics.
fn health(number: usize) -> String {
    let mut health = vec!['h'; 10];
    for offset in 0..3 {
        health[(number + offset) % 10] = 'u';
    }
    health.into_iter().collect()
}

struct Site<'w> {
    shop: Shop<'w>,
    load: Load,
    client: Client,
    workdir: &'w Workdir,
    /// The module that serves.
    module: PathBuf,
    served: u64,
}

impl Site<'_> {
    fn configuration(&self, number: usize) -> Result<String> {
        let configuration = self.shop.configuration(&health(number), SECONDARY)?;
        Ok(configuration.to_string())
    }

    /// Gives the filter a configuration, in the module that serves or in another one.
    fn give(&self, module: Option<&Path>, configuration: &str) -> Result<()> {
        match self.workdir.form() {
            Wasm => {
                let module = module.unwrap_or(&self.module);
                self.shop.delivery.give_module(module, configuration)
            }
            DynamicModule => self.shop.delivery.give(configuration),
        }
    }

    /// Waits until that configuration serves; then everything must fit it, and nothing have failed
    /// on the way.
    fn serves(&mut self, number: usize) -> Result<()> {
        let engine = self.shop.engine(&health(number), SECONDARY)?;
        eventually("the new configuration", LIMIT, || {
            for user in 0..100 {
                let key = format!("user-{user}");
                let answer = self.client.get("/", &[(KEY_HEADER, &key)])?;
                let host = answer.header("x-served-by").unwrap_or_default();
                if engine.pick(member_of(host), &key)? != Some(host) {
                    return Ok(None);
                }
            }
            Ok(Some(()))
        })?;
        // Requests that were active may have been decided before.
        self.wait_for(2 * CONNECTIONS)?;
        self.check(&self.load.take(), None)?;
        self.wait_for(LOOKED_AT)?;
        let tally = self.load.take();
        self.check(&tally, Some(&engine))
    }

    fn wait_for(&self, more: u64) -> Result<()> {
        let until = self.load.requests() + more;
        eventually("requests", LIMIT, || {
            Ok((self.load.requests() >= until).then_some(()))
        })
    }

    fn check(&mut self, tally: &Tally, engine: Option<&ReferenceEngine>) -> Result<()> {
        self.served += tally.requests;
        ensure!(
            tally.failed == 0,
            "{} of {} requests failed: {:?}",
            tally.failed,
            tally.requests,
            tally.failures
        );
        for (host, key) in engine.map(|_| tally.served.keys()).into_iter().flatten() {
            let expected = engine
                .map(|e| e.pick(member_of(host), &format!("user-{key}")))
                .transpose()?
                .flatten();
            ensure!(
                expected == Some(host),
                "user-{key} went to {host}, not to {expected:?}"
            );
        }
        Ok(())
    }

    /// The module that ships with a custom section behind it: other bytes, the same filter.
    fn shipped_with_a_mark(&self, number: usize) -> Result<PathBuf> {
        const CUSTOM: u8 = 0;
        const NAME: &[u8] = b"swap";
        let mark = u8::try_from(number)?;
        let mut module = std::fs::read(self.shop.delivery.module())?;
        let length = u8::try_from(1 + NAME.len() + 1)?;
        module.extend([CUSTOM, length, u8::try_from(NAME.len())?]);
        module.extend(NAME);
        module.push(mark);
        let path = self.workdir.path().join(format!("swap-{number}.wasm"));
        std::fs::write(&path, module)?;
        Ok(path)
    }
}

/// What must be refused.
struct Bad {
    what: &'static str,
    /// The module; the shipped one unless another is named.
    module: Option<PathBuf>,
    text: String,
    /// Whether the VM that serves comes as far as to read it. What a VM counts goes with it, and a
    /// module that is refused goes at once.
    refused_by_us: bool,
}

fn bad(site: &Site<'_>) -> Result<Vec<Bad>> {
    let whole = site.configuration(0)?;
    let text = |what, text: String| Bad {
        what,
        module: None,
        text,
        refused_by_us: true,
    };
    let module = |what, module| Bad {
        what,
        module: Some(module),
        text: whole.clone(),
        refused_by_us: false,
    };
    let file = |name: &str, bytes: &[u8]| -> Result<PathBuf> {
        let path = site.workdir.path().join(name);
        std::fs::write(&path, bytes)?;
        Ok(path)
    };
    let shipped = std::fs::read(site.shop.delivery.module())?;
    let half = &shipped[..shipped.len() / 2];
    let (beginning, _) = whole.split_at(whole.len() / 2);
    Ok(vec![
        text("no configuration", String::new()),
        text("a text that ends in the middle", beginning.to_owned()),
        text(
            "an unknown target",
            whole.replace("\"target\":\"shop\"", "\"target\":\"shoq\""),
        ),
        text(
            "an unknown field",
            whole.replace("\"hash_policy\"", "\"hash_polisy\""),
        ),
        text(
            "an unknown health",
            whole.replace("\"UNHEALTHY\"", "\"ILL\""),
        ),
        module(
            "a module that is not there",
            site.workdir.path().join("nowhere.wasm"),
        ),
        module("half of a module", file("half.wasm", half)?),
        module("a text as module", file("text.wasm", b"target: shop\n")?),
        module(
            "a module that takes no configuration",
            Guest::Refusing.write(site.workdir, "refusing.wasm")?,
        ),
        module(
            "a module that traps on its configuration",
            Guest::TrappingWhenConfigured.write(site.workdir, "dying.wasm")?,
        ),
    ])
}
