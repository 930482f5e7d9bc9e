//! Sessions over two clusters of equal weight: ours, and those of Envoy's own filter.

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{Bootstrap, http_listener, native, plain, priority};
use spillgate_e2e::sessions::{Gateway, begun, native_sessions, round, sticky};
use spillgate_e2e::{Client, Port, SIGNIFICANCE, Workdir, chi_square_p, fresh_secret};

const SESSIONS: usize = 1_400;
/// Requests of each session after its first one.
const VISITS: usize = 4;

#[rstest]
fn every_session_stays_in_its_half_of_a_split(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_weighted", form)?;
    let (native_port, hosts) = (Port::lease()?, Port::lease()?);
    let cluster = |name, network| -> Result<Cluster> {
        let priorities = vec![priority(network, hosts.number(), "hhh")?];
        Ok(plain(name, Policy::Random, priorities))
    };
    let (blue, green) = (cluster("blue", "127.9.0")?, cluster("green", "127.9.1")?);
    let halves = |blue, green| json!([{"name": blue, "weight": 50}, {"name": green, "weight": 50}]);
    let key = fresh_secret()?;
    let filter = json!({
        "weighted": [{"cluster": "blue", "weight": 50}, {"cluster": "green", "weight": 50}],
        "affinity": sticky(&[(1, &key)]),
    });
    let split = json!({
        "match": {"prefix": "/"},
        "route": {"weighted_clusters": {"clusters": halves("native-blue", "native-green")}},
    });
    let native_listener = http_listener(
        "native",
        native_port.number(),
        &[split],
        vec![native_sessions("session")],
    );
    let renamed = |cluster: &Cluster| -> Result<_> {
        let mut cluster = cluster.clone();
        cluster.name = format!("native-{}", cluster.name);
        native(&cluster)
    };
    let bootstrap = Bootstrap::new()
        .listener(native_listener)
        .cluster(renamed(&blue)?)
        .cluster(renamed(&green)?);
    let gateway = Gateway::configured(&workdir, &[&blue, &green], filter, bootstrap)?;

    let (first, ours) = kept_throughout(&gateway.service)?;
    let (_, natives) = kept_throughout(&native_port)?;
    let blue = first
        .iter()
        .filter(|host| host.starts_with("127.9.0."))
        .count() as u64;
    println!(
        "{SESSIONS} sessions over 50/50, {VISITS} more visits each: ours {ours} never left their \
         host, Envoy's own {natives}; {blue} of ours began in the first cluster"
    );
    ensure!(ours == SESSIONS, "{ours} of ours are kept");
    ensure!(natives < SESSIONS / 2, "{natives} of Envoy's own are kept");
    let p = chi_square_p(&[(blue, 50.0), (SESSIONS as u64 - blue, 50.0)])?;
    ensure!(p > SIGNIFICANCE, "{blue} of {SESSIONS} in one half: {p:e}");
    let counted = gateway.envoy.stat("spillgate.sessions.kept")?;
    ensure!(
        counted as usize == SESSIONS * VISITS,
        "{counted} are counted"
    );
    Ok(())
}

/// The first hosts of all sessions, and how many were served by no other later.
fn kept_throughout(port: &Port) -> Result<(Vec<String>, usize)> {
    let mut client = Client::new(port.local());
    let (mut visitors, first) = begun(&mut client, SESSIONS)?;
    let mut kept = vec![true; SESSIONS];
    for _ in 0..VISITS {
        let hosts = round(&mut client, &mut visitors)?;
        for ((kept, host), first) in kept.iter_mut().zip(hosts).zip(&first) {
            *kept &= host == *first;
        }
    }
    Ok((first, kept.into_iter().filter(|kept| *kept).count()))
}
