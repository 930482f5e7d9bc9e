//! Many updates of clusters, hosts and the filter's configuration under load, with the dynamic module: no
//! request is lost, and memory stays as it is.

use anyhow::{Result, ensure};
use rstest::rstest;
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::config::Unlisted;
use spillgate_e2e::{
    Discovered, DiscoveredShop, EnvoyOptions, HostsFrom, Load, Workdir, amount, figure, resident,
};

/// Active requests at all times.
const CONNECTIONS: u64 = 4;
/// The part of the updates before memory counts: caches and pools fill.
const WARM_UP: u64 = 5;
/// The most growth after that in the full form, in KiB.
const MOST_GROWTH: f64 = 8_192.0;

#[rstest]
fn updates_under_load_lose_nothing(
    #[values(Discovered::Clusters, Discovered::Hosts, Discovered::Filter)] of: Discovered,
) -> Result<()> {
    let updates = amount(200, 50_000);
    let workdir = Workdir::in_form(&format!("module_storm_{of:?}"), DynamicModule)?;
    let options = EnvoyOptions {
        workers: 2,
        ..EnvoyOptions::default()
    };
    let from = match of {
        Discovered::Hosts => HostsFrom::File,
        _ => HostsFrom::Cluster,
    };
    let shop = DiscoveredShop::open(&workdir, options, from, Unlisted::Refused)?;
    let load = Load::start(shop.service(), CONNECTIONS);
    let (mut requests, mut warm) = (0, 0.0);
    for number in 1..=updates {
        ensure!(shop.changed(of, number)?, "update {number} was refused");
        if number == updates / WARM_UP {
            warm = resident(shop.envoy.id())?;
        }
        if number % 100 == 0 || number == updates {
            let tally = load.take();
            requests += tally.requests;
            ensure!(
                tally.failed == 0,
                "after update {number}: {} of {} failed: {:?} {:?}",
                tally.failed,
                tally.requests,
                tally.failures,
                shop.envoy.stats("spillgate.")?,
            );
        }
    }
    let rest = load.stop();
    ensure!(rest.failed == 0, "{:?}", rest.failures);
    let now = resident(shop.envoy.id())?;
    figure(format_args!(
        "{updates} updates of {of:?}, {} requests, 0 failed; {:.1} MiB of memory after a fifth, {:.1} MiB at the end",
        requests + rest.requests,
        warm / 1_024.0,
        now / 1_024.0,
    ));
    let growth = now - warm;
    ensure!(
        growth <= amount(f64::INFINITY, MOST_GROWTH),
        "{growth:.0} KiB more"
    );
    shop.envoy.check_filter()
}
