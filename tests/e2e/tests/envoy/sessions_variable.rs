//! Token keys in an environment variable, in the VM that the filter and the poller share.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{Bootstrap, admin_cluster, our_filters, poller};
use spillgate_e2e::sessions::{COOKIE, EdsHosts, Visitor, addresses, opened, session_listener};
use spillgate_e2e::{Client, Envoy, Port, Workdir, eventually, fresh_secret};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);
const NAME: &str = "SPILLGATE_KEYS";

/// The configuration of an Envoy that keeps sessions.
struct Site<'w> {
    workdir: &'w Workdir,
    eds: EdsHosts<'w>,
    service: Port,
    filters: Vec<Value>,
    poller: Value,
}

impl<'w> Site<'w> {
    fn new(workdir: &'w Workdir, hosts: &[String]) -> Result<Self> {
        let filter = json!({
            "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
            "target": "shop",
            "tick": "0.05s",
            "health": {"source": "admin", "cluster": "admin"},
            "affinity": {"cookie": {"name": COOKIE}, "keys_from_env": NAME},
        });
        let poll = json!({"poll": [
            {"cluster": "admin", "targets": ["shop"], "interval": "0.1s"},
        ]});
        let mut site = Self {
            workdir,
            eds: EdsHosts::new(workdir, "shop", hosts)?,
            service: Port::lease()?,
            filters: our_filters(workdir.form(), &filter)?,
            poller: poller(&poll)?,
        };
        if workdir.form() == Wasm {
            for vm in [&mut site.filters[0], &mut site.poller] {
                let variables = json!({"host_env_keys": [NAME]});
                vm["typed_config"]["config"]["vm_config"]["environment_variables"] = variables;
            }
        }
        Ok(site)
    }

    fn start(&self, variables: &[(&str, &str)]) -> Result<Envoy> {
        let mut bootstrap = Bootstrap::new()
            .listener(session_listener(
                self.workdir.form(),
                &self.service,
                self.filters.clone(),
            ))
            .cluster(self.eds.steered(self.workdir.form()));
        if self.workdir.form() == Wasm {
            bootstrap = bootstrap.extension(self.poller.clone());
        }
        Envoy::start_in(self.workdir, variables, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })
    }
}

#[rstest]
fn filter_and_poller_share_a_vm_whose_keys_no_dump_shows(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_variable", form)?;
    let port = Port::lease()?;
    let all = addresses("127.18.0", &port, 3);
    let _hosts = opened(&all)?;
    let mut site = Site::new(&workdir, &all)?;
    let secret = fresh_secret()?;
    let keys = json!([{"id": 1, "secret": secret}]).to_string();
    let envoy = site.start(&[(NAME, &keys)])?;
    let mut client = Client::new(site.service.local());
    eventually("a decision", LIMIT, || {
        // Until the first poll, requests get 503.
        client.get("/", &[])?;
        let decided = envoy.total("spillgate.decisions.")?;
        Ok((decided > 0).then_some(()))
    })?;
    let mut visitor = Visitor::default();
    let host = visitor.visit(&mut client)?;
    for _ in 0..5 {
        ensure!(visitor.visit(&mut client)? == host, "the session moved");
    }
    // Health arrives from the poller.
    site.eds.set(std::slice::from_ref(&host), "UNHEALTHY")?;
    eventually("a move", LIMIT, || {
        Ok((visitor.visit(&mut client)? != host).then_some(()))
    })?;
    let dump = envoy.admin("/config_dump")?;
    ensure!(dump.contains(NAME), "the dump has no filter");
    ensure!(!dump.contains(&secret), "the dump shows the key");
    ensure!(!envoy.log()?.contains(&secret), "the log shows the key");
    envoy.check_filter()
}

#[rstest]
fn a_missing_or_invalid_variable_is_rejected(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_no_variable", form)?;
    let port = Port::lease()?;
    let all = addresses("127.19.0", &port, 1);
    let site = Site::new(&workdir, &all)?;
    let secret = fresh_secret()?;
    let short = json!([{"id": 1, "secret": secret.get(4..)}]).to_string();
    for (variables, reason) in [
        (&[][..], "environment variable SPILLGATE_KEYS is not set"),
        (
            &[(NAME, &*short)],
            "environment variable SPILLGATE_KEYS: keys[0].secret: secret has 29 bytes",
        ),
    ] {
        let error = site.start(variables).err().context("Envoy started")?;
        let error = format!("{error:?}");
        ensure!(error.contains(reason), "{error}");
        let part = secret.get(8..16).context("a short secret")?;
        ensure!(!error.contains(part), "{error}");
    }
    Ok(())
}
