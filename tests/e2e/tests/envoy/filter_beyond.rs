//! What Envoy does beyond the filter: informational responses, mirrored and hedged requests, and headers
//! that a client removes.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, SERVED_HEADER, Unlisted, http_listener, our_filters,
    steer_cluster, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Responder, Upstream, Workdir, eventually, fresh_secret};

const TENANT: &str = "x-tenant";
const SESSION: &str = "x-session";
/// Requests of each kind.
const MANY: u64 = 20;

/// A host that is slow at `/slow`, and sends an informational response first at `/early`.
#[derive(Debug)]
struct Host(SocketAddr);

impl Responder for Host {
    fn answer(&self, path: &str, _: bool) -> Vec<u8> {
        let address = self.0;
        let early = format!(
            "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n{SESSION}: planted\r\n\
             {HOST_HEADER}: {address}\r\n\r\n"
        );
        let early = match path {
            "/slow" => {
                sleep(Duration::from_millis(400));
                ""
            }
            "/early" => &early,
            _ => "",
        };
        format!("{early}HTTP/1.1 200 x\r\n{SERVED_HEADER}: {address}\r\ncontent-length: 0\r\n\r\n")
            .into_bytes()
    }
}

/// The first host belongs to tenant a, the second one to tenant b.
struct Site {
    envoy: Envoy,
    client: Client,
    service: SocketAddr,
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    /// `settings` are those of the filter; `route` and `manager` change the route and the connection
    /// manager.
    fn open(
        workdir: &Workdir,
        unlisted: Unlisted,
        settings: Value,
        change: impl FnOnce(&mut Value, &mut Value),
    ) -> Result<Self> {
        let form = workdir.form();
        let (service, port) = (Port::lease()?, Port::lease()?);
        let host = |(number, tenant): (u16, &str)| {
            let address = format!("127.35.0.{number}");
            json!({
                "endpoint": {"address": {"socket_address":
                    {"address": address, "port_value": port.number()}}},
                "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant}}},
            })
        };
        let hosts: Vec<Value> = [(1, "a"), (2, "b")].into_iter().map(host).collect();
        let mut cluster = json!({
            "name": "shop",
            "type": "STATIC",
            "connect_timeout": "2s",
            "load_assignment": {"cluster_name": "shop", "endpoints": [{"lb_endpoints": hosts}]},
        });
        let mut filter = settings;
        filter["clusters"] = json!([{
            "name": "shop",
            "lb_policy": "ROUND_ROBIN",
            "load_assignment": cluster["load_assignment"],
        }]);
        filter["target"] = json!("shop");
        steer_cluster(&mut cluster, form, unlisted);
        let mut routes = [to_chosen_cluster(form)];
        let mut listener = json!({});
        change(&mut routes[0], &mut listener);
        let mut service_listener = http_listener(
            "service",
            service.number(),
            &routes,
            our_filters(form, &filter)?,
        );
        let manager = &mut service_listener["filter_chains"][0]["filters"][0]["typed_config"];
        for (field, value) in listener.as_object().context("an object")? {
            manager[field] = value.clone();
        }
        let mut bootstrap = Bootstrap::new().listener(service_listener).cluster(cluster);
        if form == DynamicModule {
            bootstrap = bootstrap.observing(DynamicModule, &Value::Null)?;
        }
        let hosts = (1..=2).map(|number| {
            let address = format!("127.35.0.{number}:{}", port.number()).parse()?;
            Upstream::answering(address, Arc::new(Host(address)))
        });
        Ok(Self {
            hosts: hosts.collect::<Result<_>>()?,
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            service: service.local(),
            _ports: [service, port],
        })
    }

    /// Requests by host.
    fn asked(&self) -> [u64; 2] {
        [self.hosts[0].requests(), self.hosts[1].requests()]
    }

    /// The bytes of all responses to one request.
    fn raw(&self, path: &str, more: &str) -> Result<String> {
        let mut stream = TcpStream::connect(self.service)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: shop\r\n{more}connection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    }
}

fn by_tenant() -> Value {
    json!({
        "criteria": [{"key": "tenant", "header": TENANT}],
        "subset_chain": [{"keys": ["tenant"]}],
    })
}

/// Envoy drops informational responses by default. If it forwards them, no filter sees them, but the
/// route can remove headers.
#[rstest]
fn informational_responses_carry_no_internal_headers(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(false, true)] forwarded: bool,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("beyond_early_{forwarded}"), form)?;
    let settings = json!({"affinity": {
        "header": {"name": SESSION},
        "keys": [{"id": 1, "secret": fresh_secret()?}],
    }});
    let site = Site::open(&workdir, Unlisted::Refused, settings, |route, manager| {
        route["response_headers_to_remove"] = json!([HOST_HEADER, CLUSTER_HEADER, SESSION]);
        if forwarded {
            manager["proxy_100_continue"] = json!(true);
        }
    })?;
    let text = site.raw("/early", "")?;
    ensure!(text.contains("HTTP/1.1 103") == forwarded, "{text}");
    ensure!(text.contains("HTTP/1.1 200"), "{text}");
    ensure!(
        !text.contains("planted") && !text.contains(HOST_HEADER),
        "{text}"
    );
    ensure!(text.matches(SESSION).count() == 1, "the token: {text}");
    site.envoy.check_filter()
}

#[rstest]
fn a_mirrored_request_has_no_decision(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(Unlisted::Refused, Unlisted::Served)] unlisted: Unlisted,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("beyond_mirror_{unlisted:?}"), form)?;
    let mut site = Site::open(&workdir, unlisted, by_tenant(), |route, _| {
        route["route"]["request_mirror_policies"] = json!([{"cluster": "shop"}]);
    })?;
    for _ in 0..MANY {
        let answer = site.client.get("/", &[(TENANT, "a")])?;
        ensure!(answer.status == 200, "{answer:?}");
    }
    if (form, unlisted) == (Wasm, Unlisted::Served) {
        // Envoy does not wait for the response to a mirrored request.
        let all = || {
            let asked = site.asked();
            Ok((asked[0] + asked[1] == 2 * MANY).then_some(asked))
        };
        let asked = eventually("all mirrored requests", Duration::from_secs(20), all)?;
        ensure!(asked[1] > 0, "{asked:?}");
    } else {
        sleep(Duration::from_millis(500));
        ensure!(site.asked() == [MANY, 0], "{:?}", site.asked());
    }
    site.envoy.check_filter()
}

#[rstest]
fn a_hedged_attempt_uses_the_list_and_then_the_fallback(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(Unlisted::Refused, Unlisted::Served)] unlisted: Unlisted,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("beyond_hedge_{unlisted:?}"), form)?;
    let mut site = Site::open(&workdir, unlisted, by_tenant(), |route, _| {
        route["route"]["hedge_policy"] = json!({"hedge_on_per_try_timeout": true});
        route["route"]["retry_policy"] =
            json!({"retry_on": "5xx", "num_retries": 1, "per_try_timeout": "0.1s"});
    })?;
    // The policy of the module knows no criteria, so it has no host for the chain.
    let has_fallback = (form, unlisted) == (Wasm, Unlisted::Served);
    for _ in 0..MANY {
        let answer = site.client.get("/slow", &[(TENANT, "a")])?;
        let status = if has_fallback { 200 } else { 503 };
        ensure!(answer.status == status, "{answer:?}");
    }
    let [own, others] = site.asked();
    if has_fallback {
        ensure!(others > 0, "{others}");
    } else {
        // The attempt without a host ends the request, also the attempt that waits for its host.
        ensure!([own, others] == [MANY, 0], "{own}, {others}");
    }
    site.envoy.check_filter()
}

#[rstest]
fn a_hedged_attempt_uses_the_next_host_of_the_list(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("beyond_hedge_list", form)?;
    let mut site = Site::open(&workdir, Unlisted::Refused, json!({}), |route, _| {
        route["route"]["hedge_policy"] = json!({"hedge_on_per_try_timeout": true});
        route["route"]["retry_policy"] =
            json!({"retry_on": "5xx", "num_retries": 1, "per_try_timeout": "0.1s"});
    })?;
    for _ in 0..MANY {
        let answer = site.client.get("/slow", &[])?;
        ensure!(answer.status == 200, "{answer:?}");
    }
    ensure!(site.asked() == [MANY, MANY], "{:?}", site.asked());
    site.envoy.check_filter()
}

/// A client can name a header in `connection`; Envoy then removes it before any filter.
#[rstest]
fn a_header_that_a_client_removes_selects_no_host(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(false, true)] ends_with_any: bool,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("beyond_connection_{ends_with_any}"), form)?;
    let mut settings = by_tenant();
    if ends_with_any {
        settings["subset_chain"] = json!([{"keys": ["tenant"]}, {"any": true}]);
    }
    let site = Site::open(&workdir, Unlisted::Refused, settings, |_, _| {})?;
    let removed = format!("{TENANT}: a\r\nconnection: {TENANT}\r\n");
    for _ in 0..MANY {
        let kept = site.raw("/", &format!("{TENANT}: a\r\n"))?;
        ensure!(kept.starts_with("HTTP/1.1 200"), "{kept}");
    }
    ensure!(site.asked() == [MANY, 0], "{:?}", site.asked());
    for _ in 0..MANY {
        let text = site.raw("/", &removed)?;
        let status = if ends_with_any {
            "HTTP/1.1 200"
        } else {
            "HTTP/1.1 503"
        };
        ensure!(text.starts_with(status), "{text}");
    }
    ensure!((site.asked()[1] > 0) == ends_with_any, "{:?}", site.asked());
    site.envoy.check_filter()
}
