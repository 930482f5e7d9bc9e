//! Keys are added, promoted and dropped by ECDS under load: no session is lost, no request fails.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{Bootstrap, Delivery, isolated, native, plain, priority};
use spillgate_e2e::sessions::{COOKIE, Rush, Visitor, Visits, begun, session_listener, sticky};
use spillgate_e2e::{Client, Envoy, Port, Workdir, amount, eventually, figure, fresh_secret};

const LIMIT: Duration = Duration::from_secs(30);
const TAKEN: &str = "extension_config_discovery.http_filter.spillgate.update_success";
/// The keys of a ring: their ids and secrets.
type Keys = Vec<(u8, String)>;

#[rstest]
fn new_keys_lose_no_session(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let (sessions, connections, rotations) = amount((200, 4, 3), (2_000, 16, 30));
    let workdir = Workdir::in_form("sessions_rotation", form)?;
    let mut site = Site::open(&workdir)?;
    let crowd = begun(&mut Client::new(site.service.local()), sessions)?;
    let load = Rush::start(site.service.local(), crowd, connections);
    let mut all = Visits::default();
    for id in 2..2 + rotations {
        let old = site.fresh_token()?;
        let mut keys = site.keys.clone();
        keys.push((id, fresh_secret()?));
        // Added, promoted, dropped; each is in force before the next.
        site.give(keys.clone())?;
        load.a_round()?;
        keys.reverse();
        site.give(keys.clone())?;
        site.seals_with(id)?;
        // Every session gets a token of the new key now.
        load.a_round()?;
        keys.pop();
        site.give(keys)?;
        site.refuses(&old, u64::from(id) - 1)?;
        load.a_round()?;
        all.absorb(load.take());
    }
    let (visitors, rest) = load.stop()?;
    all.absorb(rest);
    ensure!(all.failed == 0, "{:?}", all.failures);
    ensure!(all.moves.is_empty(), "{:?}", all.moves);
    let last = 1 + rotations;
    for visitor in &visitors {
        let token = visitor.cookie(COOKIE).context("a client has no token")?;
        ensure!(key_of(token)? == last, "a token is not of key {last}");
    }
    figure(format_args!(
        "{rotations} keys came and went: {} requests of {sessions} sessions, 0 failed, 0 sessions \
             moved, only the {rotations} old tokens that were tried on purpose were refused",
        all.requests
    ));
    let refused = site.envoy.total("spillgate.sessions.refused")?;
    ensure!(
        refused == u64::from(rotations),
        "{refused} tokens were refused"
    );
    site.envoy.check_filter()?;
    site.envoy
        .check_zero(&["spillgate.sessions.moved", "spillgate.config.refused"])
}

/// The number of the key that sealed a token: its second byte.
fn key_of(token: &str) -> Result<u8> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token)?;
    bytes.get(1).copied().context("a token is too short")
}

/// One cluster of hosts at 127.12.0.x, and the filter from a watched file.
struct Site<'w> {
    envoy: Envoy,
    delivery: Delivery<'w>,
    cluster: Cluster,
    keys: Keys,
    service: Port,
    _hosts: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let priorities = vec![priority("127.12.0", hosts.number(), "hhhhh")?];
        let cluster = plain("shop", Policy::RoundRobin, priorities);
        let delivery = Delivery::new(workdir)?;
        let keys = vec![(1, fresh_secret()?)];
        delivery.give(&configuration(&cluster, &keys)?)?;
        let bootstrap = Bootstrap::new()
            .hosts_of(&cluster)
            .listener(session_listener(
                workdir.form(),
                &service,
                delivery.filters(),
            ))
            .cluster(isolated(workdir.form(), &cluster)?);
        Ok(Self {
            envoy: Envoy::start(workdir, &bootstrap)?,
            delivery,
            cluster,
            keys,
            service,
            _hosts: hosts,
        })
    }

    fn give(&mut self, keys: Keys) -> Result<()> {
        let taken = self.envoy.stat(TAKEN)?;
        self.delivery.give(&configuration(&self.cluster, &keys)?)?;
        self.keys = keys;
        eventually("the new keys", LIMIT, || {
            Ok((self.envoy.stat(TAKEN)? > taken).then_some(()))
        })
    }

    /// The token of a new client.
    fn fresh_token(&self) -> Result<String> {
        let mut visitor = Visitor::default();
        visitor.visit(&mut Client::new(self.service.local()))?;
        let token = visitor.cookie(COOKIE).context("no session began")?;
        Ok(token.to_owned())
    }

    /// Waits until new clients get tokens of this key.
    fn seals_with(&self, id: u8) -> Result<()> {
        eventually("the new key", LIMIT, || {
            Ok((key_of(&self.fresh_token()?)? == id).then_some(()))
        })
    }

    /// Waits until a token of an old key is refused: the `count`th in all.
    fn refuses(&self, token: &str, count: u64) -> Result<()> {
        const REFUSED: &str = "spillgate.sessions.refused.reason.unknown_key";
        eventually("the end of the old key", LIMIT, || {
            let mut old = Visitor::with_cookie(COOKIE, token);
            old.visit(&mut Client::new(self.service.local()))?;
            Ok((self.envoy.stat(REFUSED)? == count).then_some(()))
        })
    }
}

fn configuration(cluster: &Cluster, keys: &Keys) -> Result<String> {
    let keys: Vec<(u8, &str)> = keys.iter().map(|(id, secret)| (*id, &**secret)).collect();
    let configuration = json!({
        "clusters": [native(cluster)?],
        "target": "shop",
        "affinity": sticky(&keys),
    });
    Ok(configuration.to_string())
}
