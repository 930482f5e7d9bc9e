//! Two Envoys, each with either form of the filter, that share nothing but a key, behind a third that splits at random: every session is
//! at one host, also when it has to move.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{Bootstrap, http_listener, to_cluster};
use spillgate_e2e::sessions::{
    EdsHosts, Gateway, addresses, begun, kept, opened, round, settled, sticky,
};
use spillgate_e2e::{Client, Envoy, Port, Workdir, amount, figure, fresh_secret};

const HOSTS: usize = 5;

#[rstest]
fn a_session_is_at_one_host_whichever_gateway_is_asked(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    sessions_stay([form, form])
}

#[test]
fn gateways_with_different_forms_of_the_filter_share_sessions() -> Result<()> {
    sessions_stay([Wasm, DynamicModule])
}

fn sessions_stay(forms: [FilterForm; 2]) -> Result<()> {
    let (sessions, rounds) = amount((300, 4), (1_000, 20));
    let [first, second] = forms;
    let name = format!("sessions_gateways_{first:?}_{second:?}");
    let workdir = Workdir::new(&name)?;
    let places = [
        Workdir::in_form(&format!("{name}_first"), first)?,
        Workdir::in_form(&format!("{name}_second"), second)?,
    ];
    let port = Port::lease()?;
    let addresses = addresses("127.11.0", &port, HOSTS);
    let mut hosts = opened(&addresses)?;
    let mut eds = EdsHosts::new(&workdir, "shop", &addresses)?;
    let key = fresh_secret()?;
    let gateways = [
        gateway(&places[0], &eds, &key)?,
        gateway(&places[1], &eds, &key)?,
    ];
    let front = Port::lease()?;
    let listener = http_listener(
        "front",
        front.number(),
        &[to_cluster("/", "gateways")],
        vec![],
    );
    let bootstrap = Bootstrap::new()
        .listener(listener)
        .cluster(split(&gateways));
    let _front = Envoy::start(&workdir, &bootstrap)?;

    let mut client = Client::new(front.local());
    let (mut visitors, first) = begun(&mut client, sessions)?;
    for _ in 0..rounds {
        let now = round(&mut client, &mut visitors)?;
        ensure!(now == first, "{} of {sessions} kept", kept(&first, &now));
    }
    let asked: Vec<u64> = gateways
        .iter()
        .map(|gateway| gateway.envoy.stat("spillgate.sessions.kept"))
        .collect::<Result<_>>()?;
    ensure!(
        asked.iter().sum::<u64>() == (sessions * rounds) as u64,
        "{asked:?}"
    );
    ensure!(asked.iter().all(|count| *count > 0), "{asked:?}");

    // A host fails; both gateways know it before any of its sessions comes again.
    let failed = addresses.first().context("no hosts")?.clone();
    eds.set(std::slice::from_ref(&failed), "UNHEALTHY")?;
    for gateway in &gateways {
        let mut client = gateway.client();
        settled(&mut client, "leaving the failed host", HOSTS - 1, |host| {
            host != failed
        })?;
    }
    hosts.remove(0).kill();
    let mut agreed = 0;
    for (visitor, host) in visitors.iter().zip(&first) {
        let mut chosen = Vec::new();
        for gateway in &gateways {
            // The same token twice: the gateways share no state.
            let mut twin = visitor.clone();
            chosen.push(twin.visit(&mut gateway.client())?);
        }
        ensure!(chosen[0] == chosen[1], "from {host} to {chosen:?}");
        ensure!(
            (chosen[0] == *host) == (*host != failed),
            "from {host} to {chosen:?}"
        );
        agreed += usize::from(*host == failed);
    }
    let second = round(&mut client, &mut visitors)?;
    ensure!(kept(&first, &second) == sessions - agreed);
    for _ in 0..rounds {
        let now = round(&mut client, &mut visitors)?;
        ensure!(now == second, "{} of {sessions} kept", kept(&second, &now));
    }
    figure(format_args!(
        "{sessions} sessions, {} requests at random to two Envoys ({asked:?} in the first rounds): \
             all at one host each; {agreed} had to move, both chose the same host for each",
        sessions * (2 * rounds + 2)
    ));
    Ok(())
}

/// An Envoy with the filter, a poller and its own view of the hosts.
fn gateway(workdir: &Workdir, eds: &EdsHosts<'_>, key: &str) -> Result<Gateway> {
    let mut affinity = sticky(&[(1, key)]);
    // Clients come by the front and, here, also past it.
    affinity["scope"] = json!("shop");
    let filter = json!({"target": "shop", "affinity": affinity});
    Gateway::polling(workdir, &[eds], filter, Bootstrap::new())
}

/// The cluster of both gateways, asked at random.
fn split(gateways: &[Gateway]) -> Value {
    let endpoint = |gateway: &Gateway| {
        json!({"endpoint": {"address": {"socket_address": {
            "address": "127.0.0.1", "port_value": gateway.service.number(),
        }}}})
    };
    let endpoints: Vec<Value> = gateways.iter().map(endpoint).collect();
    json!({
        "name": "gateways",
        "type": "STATIC",
        "connect_timeout": "2s",
        "lb_policy": "RANDOM",
        "load_assignment": {"cluster_name": "gateways", "endpoints": [{"lb_endpoints": endpoints}]},
    })
}
