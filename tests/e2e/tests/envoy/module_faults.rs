//! Hooks of the dynamic module panic: Envoy stays up, and no other request is lost.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::config::{Bootstrap, SERVED_HEADER, Unlisted, http_listener, our_filters};
use spillgate_e2e::{
    Client, DeliberatePanics, Discovered, DiscoveredShop, Envoy, EnvoyOptions, HostsFrom, Load,
    Port, Workdir, eventually,
};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
/// Active requests at all times.
const CONNECTIONS: u64 = 4;
/// Panics of a hook under load.
const PANICS: u64 = 20;
/// Requests after a panic.
const LOOKED_AT: u64 = 50;

/// The request in which a hook panics gets this status.
#[rstest]
// Envoy refuses a request whose filter was not created.
#[case("http_filter_new", Unlisted::Served, 500)]
#[case("http_filter_new", Unlisted::Refused, 500)]
// The policy decides about requests without a decision of the filter.
#[case("http_filter_request_headers", Unlisted::Served, 200)]
#[case("http_filter_request_headers", Unlisted::Refused, 503)]
#[case("http_filter_response_headers", Unlisted::Refused, 200)]
#[case("http_filter_destroy", Unlisted::Refused, 200)]
// Envoy asks again after the filter's decision.
#[case("cluster_specifier_select", Unlisted::Refused, 200)]
#[case("lb_choose_host", Unlisted::Served, 503)]
fn a_panic_affects_one_request(
    #[case] hook: &str,
    #[case] unlisted: Unlisted,
    #[case] status: u16,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("module_faults_{hook}_{unlisted:?}"), DynamicModule)?;
    let faults = DeliberatePanics::new(&workdir)?;
    let mut shop = open(&workdir, &faults, HostsFrom::Cluster, unlisted)?;
    let mut client = Client::new(shop.service());
    let order = || -> Result<()> {
        faults.order(hook)?;
        if hook == "lb_choose_host" {
            // Envoy asks the policy about requests without a decision.
            faults.order("http_filter_request_headers")?;
        }
        Ok(())
    };
    let others = |client: &mut Client| -> Result<()> {
        let response = client.get("/", &[])?;
        ensure!(response.status == 200, "{}", response.status);
        Ok(())
    };
    others(&mut client)?;
    order()?;
    let response = client.get("/", &[])?;
    ensure!(response.status == status, "{}", response.status);
    // The filter is destroyed after the response.
    eventually("the panic", LIMIT, || {
        Ok(faults.happened(hook).then_some(()))
    })?;
    others(&mut client)?;

    let load = Load::start(shop.service(), CONNECTIONS);
    for _ in 0..PANICS {
        order()?;
        eventually("the panic", LIMIT, || {
            Ok(faults.happened(hook).then_some(()))
        })?;
        wait_for_requests(&load)?;
    }
    let tally = load.stop();
    let lost = if status == 200 { 0 } else { PANICS };
    ensure!(
        tally.failed == lost,
        "{} {:?}",
        tally.failed,
        tally.failures
    );
    ensure!(shop.envoy.is_alive(), "Envoy has ended");
    check_log(&shop.envoy, hook, PANICS + 1)
}

#[rstest]
#[case("http_filter_config_new", Discovered::Filter, false)]
#[case("http_filter_config_destroy", Discovered::Filter, true)]
#[case("lb_config_new", Discovered::Clusters, false)]
#[case("lb_config_destroy", Discovered::Clusters, true)]
#[case("lb_new", Discovered::Clusters, true)]
#[case("lb_destroy", Discovered::Clusters, true)]
#[case("http_filter_config_scheduled", Discovered::Clusters, true)]
#[case("lb_on_host_membership_update", Discovered::Hosts, true)]
#[case("cluster_specifier_config_new", Discovered::Routes, false)]
#[case("cluster_specifier_config_destroy", Discovered::Routes, true)]
fn a_panic_during_a_change_loses_no_request(
    #[case] hook: &str,
    #[case] of: Discovered,
    #[case] is_accepted: bool,
) -> Result<()> {
    const CHANGES: u64 = 5;
    let workdir = Workdir::in_form(&format!("module_faults_{hook}"), DynamicModule)?;
    let faults = DeliberatePanics::new(&workdir)?;
    let from = match of {
        Discovered::Hosts => HostsFrom::File,
        _ => HostsFrom::Cluster,
    };
    let mut shop = open(&workdir, &faults, from, Unlisted::Refused)?;
    let load = Load::start(shop.service(), CONNECTIONS);
    for number in 1..=CHANGES {
        faults.order(hook)?;
        let accepted = shop.changed(of, 2 * number - 1)?;
        ensure!(accepted == is_accepted, "accepted: {accepted}");
        eventually("the panic", LIMIT, || {
            Ok(faults.happened(hook).then_some(()))
        })?;
        wait_for_requests(&load)?;
        ensure!(shop.changed(of, 2 * number)?, "the next change is refused");
        wait_for_requests(&load)?;
    }
    let tally = load.stop();
    ensure!(
        tally.failed == 0,
        "{} {:?} {:?} {:?}",
        tally.failed,
        tally.failures,
        shop.envoy.stats("spillgate.")?,
        shop.envoy.stats("cluster.shop.")?,
    );
    ensure!(shop.envoy.is_alive(), "Envoy has ended");
    check_log(&shop.envoy, hook, CHANGES)
}

#[test]
fn hosts_are_right_again_with_the_update_after_a_panic() -> Result<()> {
    let workdir = Workdir::in_form("module_faults_hosts", DynamicModule)?;
    let faults = DeliberatePanics::new(&workdir)?;
    let shop = open(&workdir, &faults, HostsFrom::File, Unlisted::Refused)?;
    let mut client = Client::new(shop.service());
    let mut served_by_all = |expected: &[usize]| -> Result<bool> {
        let mut hosts = std::collections::BTreeSet::new();
        for _ in 0..30 {
            let response = client.get("/", &[])?;
            ensure!(response.status == 200, "{}", response.status);
            let host = response.header(SERVED_HEADER).context("no host")?;
            hosts.insert(host.to_owned());
        }
        Ok(hosts == expected.iter().map(|number| shop.host(*number)).collect())
    };
    faults.order("lb_on_host_membership_update")?;
    shop.change_hosts("uhhhh")?;
    eventually("the panic", LIMIT, || {
        Ok(faults
            .happened("lb_on_host_membership_update")
            .then_some(()))
    })?;
    shop.change_hosts("uhhhu")?;
    eventually("the next update", LIMIT, || {
        Ok(served_by_all(&[2, 3, 4])?.then_some(()))
    })
}

#[rstest]
fn envoy_does_not_start_with_a_panic_in_a_configuration(
    #[values(
        "http_filter_config_new",
        "bootstrap_extension_config_new",
        "bootstrap_extension_new"
    )]
    hook: &str,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("module_faults_start_{hook}"), DynamicModule)?;
    let faults = DeliberatePanics::new(&workdir)?;
    faults.order(hook)?;
    let started = start(&workdir, &faults);
    ensure!(faults.happened(hook), "no panic");
    ensure!(started.is_err(), "Envoy has started");
    start(&workdir, &faults).map(drop)
}

fn open<'w>(
    workdir: &'w Workdir,
    faults: &DeliberatePanics,
    from: HostsFrom,
    unlisted: Unlisted,
) -> Result<DiscoveredShop<'w>> {
    let variables = faults.variables();
    let options = EnvoyOptions {
        variables: &variables,
        ..EnvoyOptions::default()
    };
    DiscoveredShop::open(workdir, options, from, unlisted)
}

/// An Envoy whose filter and bootstrap extension are in its bootstrap.
fn start(workdir: &Workdir, faults: &DeliberatePanics) -> Result<Envoy> {
    let service = Port::lease()?;
    let configuration = json!({
        "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
        "target": "shop",
    });
    let filters = our_filters(DynamicModule, &configuration)?;
    let bootstrap = Bootstrap::new()
        .listener(http_listener("service", service.number(), &[], filters))
        .observing(DynamicModule, &Value::Null)?;
    Envoy::start_in(workdir, &faults.variables(), |node, admin| {
        bootstrap.to_json(node, admin)
    })
}

fn wait_for_requests(load: &Load) -> Result<()> {
    let until = load.requests() + LOOKED_AT;
    eventually("requests", LIMIT, || {
        Ok((load.requests() >= until).then_some(()))
    })
}

/// Checks that the log has the panics of that hook.
fn check_log(envoy: &Envoy, hook: &str, panics: u64) -> Result<()> {
    /// The module omits further messages of a hook in the same minute.
    const MOST_LINES: u64 = 10;
    let message = format!("spillgate: internal error in {hook}: deliberate panic");
    let logged = envoy.log()?.matches(&message).count() as u64;
    let expected = panics.min(MOST_LINES)..=panics;
    ensure!(expected.contains(&logged), "{logged} messages `{message}`");
    Ok(())
}
