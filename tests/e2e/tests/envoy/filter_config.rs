//! Changes of the configuration while requests go on.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::shop::{Shop, member_of};
use spillgate_e2e::{Workdir, eventually, spillgate};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(20);

#[rstest]
fn a_change_of_health_is_followed(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let workdir = Workdir::in_form("filter_health", form)?;
    let mut shop = Shop::open(&workdir, "hhhhhuuuuu", "hhhhh")?;
    for (primary, secondary) in [
        ("uuuuuhhhhh", "hhhhh"),
        ("uuuuuuuuuu", "uhuhu"),
        ("hhhhhhhhhh", "uuuuu"),
    ] {
        shop.change_health(primary, secondary)?;
        let engine = shop.engine(primary, secondary)?;
        let shares = engine.shares("shop")?;
        let misfit = |shop: &mut Shop<'_>, keys: usize| -> Result<Option<String>> {
            for number in 0..keys {
                let key = format!("user-{number}");
                let host = shop.visit(&key, &[])?.host;
                let expected = engine.pick(member_of(&host), &key)?;
                if expected != Some(&host) || !shares.hosts.contains_key(&host) {
                    return Ok(Some(format!("{key} went to {host}, not to {expected:?}")));
                }
            }
            Ok(None)
        };
        // The change is there once many requests in a row fit it; from then on all do.
        eventually("the new health", LIMIT, || {
            Ok(misfit(&mut shop, 300)?.is_none().then_some(()))
        })?;
        if let Some(misfit) = misfit(&mut shop, 1_000)? {
            bail!("with {primary} and {secondary}: {misfit}");
        }
        let healthy = primary.matches('h').count() as u64;
        let of_envoy = shop.envoy.stat("cluster.primary.membership_healthy")?;
        ensure!(of_envoy == healthy, "Envoy counts {of_envoy} of {primary}");
    }
    ensure!(shop.envoy.stat(REFUSED)? == 0);
    shop.envoy.check_filter()
}

/// Envoy's count of refused extension configurations.
const REFUSED: &str = "extension_config_discovery.http_filter.spillgate.config_fail";

#[rstest]
fn a_broken_configuration_is_refused_and_the_old_one_serves(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_refused", form)?;
    let (primary, secondary) = ("hhhhhuuuuu", "hhhhh");
    let mut shop = Shop::open(&workdir, primary, secondary)?;
    let engine = shop.engine(primary, secondary)?;
    for (number, (what, text, expected)) in (1..).zip(broken(&shop)?) {
        let logged = shop.envoy.log()?.len();
        shop.delivery.give(&text)?;
        eventually(&format!("refusal of {what}"), LIMIT, || {
            // Requests go on meanwhile.
            shop.visit("meanwhile", &[])?;
            Ok((shop.envoy.stat(REFUSED)? == number).then_some(()))
        })?;
        let log = shop.envoy.log()?.split_off(logged);
        let messages = log.matches("spillgate: configuration rejected").count();
        ensure!(messages == 1, "{what}: {messages} messages:\n{log}");
        for fault in &expected {
            ensure!(
                log.contains(fault),
                "{what}: nothing of `{fault}` in\n{log}"
            );
        }
        let findings = format!("{} finding", expected.len());
        ensure!(
            log.contains(&findings),
            "{what}: not `{findings}` in\n{log}"
        );
        for number in 0..500 {
            let key = format!("user-{number}");
            let host = shop.visit(&key, &[])?.host;
            let allowed = [
                engine.pick("primary", &key)?,
                engine.pick("secondary", &key)?,
            ];
            ensure!(
                allowed.contains(&Some(&host)),
                "after {what} {key} went to {host}"
            );
        }
    }
    let cases = shop.envoy.stat(REFUSED)?;
    let rejected = "extension_config_discovery.http_filter.spillgate.update_rejected";
    let counts = match form {
        Wasm => &[rejected, "spillgate.config.refused"][..],
        // A configuration that is refused has no metrics.
        DynamicModule => &[rejected],
    };
    for count in counts {
        let counted = shop.envoy.stat(count)?;
        ensure!(
            counted == cases,
            "{count} is {counted} after {cases} refusals"
        );
    }
    // It is not stuck: a whole configuration is taken again.
    shop.change_health("uuuuuuuuuu", secondary)?;
    eventually("the whole configuration", LIMIT, || {
        let host = shop.visit("user", &[])?.host;
        Ok(host.starts_with("127.3.1.").then_some(()))
    })?;
    shop.envoy.check_filter()
}

/// The dump shows a configuration that only Envoy can reject, while the previous one serves.
#[rstest]
fn a_configuration_whose_file_is_missing_is_named_by_the_commands(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_rejected_file", form)?;
    let mut shop = Shop::open(&workdir, "hhhhh", "hhhhh")?;
    shop.visit("user", &[])?;
    let url = format!("http://{}", shop.envoy.admin_address());
    let rejected = |config: &[&str]| -> Result<bool> {
        let found = spillgate([&["lint", "--format", "json"], config].concat())?;
        Ok(found.output.contains("config-rejected"))
    };
    let live = ["--admin", url.as_str()];
    ensure!(!rejected(&live)?, "the first configuration serves");
    shop.delivery
        .give_missing(&shop.configuration("hhhhh", "hhhhh")?.to_string())?;
    eventually("the refusal", LIMIT, || {
        Ok((shop.envoy.stat(REFUSED)? == 1).then_some(()))
    })?;
    shop.visit("user", &[])?;
    ensure!(
        rejected(&live)?,
        "lint does not report the rejected configuration"
    );
    let explained = spillgate(["explain", "--admin", &url, "--host", "shop.example"])?;
    ensure!(
        explained.output.contains("-> unknown"),
        "{}",
        explained.output
    );
    let capture = workdir.path().join("capture.json");
    let capture = capture.to_str().context("path")?;
    spillgate(["capture", &url, "-o", capture])?;
    ensure!(rejected(&[capture])?, "the capture does not show it");

    shop.change_health("uuuuu", "hhhhh")?;
    eventually("a configuration that serves", LIMIT, || {
        Ok((!rejected(&live)?).then_some(()))
    })?;
    shop.envoy.check_filter()
}

/// Broken configurations: a name, the text, and the expected message of each fault.
fn broken(shop: &Shop<'_>) -> Result<Vec<(&'static str, String, Vec<String>)>> {
    let whole = shop.configuration("hhhhhuuuuu", "hhhhh")?;
    let host = "/clusters/0/load_assignment/endpoints/0/lb_endpoints/0";
    let mut cases = Vec::new();
    let mut one = |what, pointer: &str, field: &str, value: Value, fault: &str| {
        let text = changed(&whole, &[(pointer, field, value)]);
        cases.push((what, text, vec![fault.to_owned()]));
    };
    one(
        "a weight of 0",
        host,
        "load_balancing_weight",
        json!(0),
        "load_balancing_weight",
    );
    one(
        "a weight above 2^32-1",
        host,
        "load_balancing_weight",
        json!(4_294_967_296_u64),
        "load_balancing_weight",
    );
    one("an unknown target", "", "target", json!("shoq"), "target");
    one("an unknown field", "", "tagret", json!("shop"), "tagret");
    one(
        "a table size that is not prime",
        "/clusters/0/maglev_lb_config",
        "table_size",
        json!(65_536),
        "table_size",
    );
    one(
        "a cycle",
        "/clusters/2/cluster_type/typed_config",
        "clusters",
        json!(["primary", "shop"]),
        "shop -> shop",
    );
    let text = whole.to_string();
    let cut = text.split_at(text.len() / 2).0.to_owned();
    cases.push((
        "a text that ends in the middle",
        cut,
        vec!["configuration:1:".to_owned()],
    ));

    let yaml = "clusters:\n- name: primary\n  load_assign".to_owned();
    cases.push((
        "YAML that ends in the middle",
        yaml,
        vec!["configuration:1:1:".to_owned()],
    ));

    let endpoint = |n: usize| format!("/clusters/0/load_assignment/endpoints/0/lb_endpoints/{n}");
    let ten: [(&str, String, &str, Value); 10] = [
        ("target", String::new(), "target", json!("unknown")),
        ("spelling", String::new(), "spelling", json!(true)),
        ("tick", String::new(), "tick", json!("soon")),
        (
            "lb_endpoints[0].load_balancing_weight",
            endpoint(0),
            "load_balancing_weight",
            json!(0),
        ),
        (
            "lb_endpoints[1].health_status",
            endpoint(1),
            "health_status",
            json!("FINE"),
        ),
        (
            "lb_endpoints[2].load_balancing_weight",
            endpoint(2),
            "load_balancing_weight",
            json!(-1),
        ),
        ("lb_endpoints[3].metdata", endpoint(3), "metdata", json!({})),
        (
            "table_size",
            "/clusters/0/maglev_lb_config".into(),
            "table_size",
            json!(1000),
        ),
        (
            "lb_policy",
            "/clusters/1".into(),
            "lb_policy",
            json!("MAGLEF"),
        ),
        ("hash_policy", String::new(), "hash_policy", json!("x-key")),
    ];
    let changes: Vec<(&str, &str, Value)> = ten
        .iter()
        .map(|(_, pointer, field, value)| (pointer.as_str(), *field, value.clone()))
        .collect();
    let faults = ten.iter().map(|(fault, ..)| (*fault).to_owned()).collect();
    cases.push(("ten faults at once", changed(&whole, &changes), faults));
    Ok(cases)
}

/// The configuration with fields of some of its objects set.
fn changed(whole: &Value, changes: &[(&str, &str, Value)]) -> String {
    let mut changed = whole.clone();
    for (pointer, field, value) in changes {
        if let Some(object) = changed.pointer_mut(pointer) {
            object[*field] = value.clone();
        }
    }
    changed.to_string()
}
