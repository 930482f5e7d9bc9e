//! CDS replaces a cluster that has hosts by one of the same name that has none, with the dynamic module.

use std::time::Duration;

use anyhow::{Result, ensure};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::config::Unlisted;
use spillgate_e2e::{
    Client, Discovered, DiscoveredShop, EnvoyOptions, HostsFrom, Workdir, eventually,
};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
/// A fault may depend on which cluster was there before.
const TIMES: u64 = 5;

#[test]
fn the_filter_learns_that_a_replaced_cluster_has_no_hosts() -> Result<()> {
    let workdir = Workdir::in_form("module_replaced", DynamicModule)?;
    let options = EnvoyOptions::default();
    let shop = DiscoveredShop::open(&workdir, options, HostsFrom::Cluster, Unlisted::Refused)?;
    let mut client = Client::new(shop.service());
    let mut wait_for = |status: u16| {
        eventually(&format!("the status {status}"), LIMIT, || {
            let response = client.get("/", &[])?;
            Ok((response.status == status).then_some(()))
        })
    };
    for number in 1..=TIMES {
        wait_for(200)?;
        shop.replace_by_empty_cluster()?;
        wait_for(503)?;
        // Envoy refuses hosts that the cluster no longer has, but this refusal is the filter's.
        let before = shop.envoy.stat("spillgate.no_host")?;
        wait_for(503)?;
        let refused = shop.envoy.stat("spillgate.no_host")?;
        ensure!(refused > before, "the filter still knows hosts");
        ensure!(
            shop.changed(Discovered::Clusters, number)?,
            "the next change is refused"
        );
    }
    shop.envoy.check_filter()
}
