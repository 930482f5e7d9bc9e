//! Hosts that set session cookies and headers themselves: they do not reach clients.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, http_listener, native, our_filters, plain, priority, steered, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, HttpResponse, Port, Workdir, fresh_secret};

const SESSION: &str = "x-session";

#[rstest]
fn planted_cookies_and_headers_do_not_reach_clients(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values("cookie", "header")] carrier: &str,
) -> Result<()> {
    let workdir = Workdir::in_form(&format!("sessions_planted_{carrier}"), form)?;
    let (service, host) = (Port::lease()?, Port::lease()?);
    let hosts = priority("127.34.0", host.number(), "h")?;
    let shop = plain("shop", Policy::RoundRobin, vec![hosts]);
    let mut affinity = json!({"keys": [{"id": 1, "secret": fresh_secret()?}]});
    affinity[carrier] = match carrier {
        "cookie" => json!({"name": "s", "host_prefix": true}),
        _ => json!({"name": SESSION}),
    };
    let filter = json!({
        "clusters": [native(&shop)?],
        "targets": [{"match": {"prefix": "/steered"}, "cluster": "shop"}],
        "affinity": affinity,
    });
    let passing = json!({"match": {"prefix": "/passing"}, "route": {"cluster": "shop"}});
    let listener = http_listener(
        "service",
        service.number(),
        &[passing, to_chosen_cluster(form)],
        our_filters(form, &filter)?,
    );
    let bootstrap = Bootstrap::new()
        .listener(listener)
        .listener(planting(host.number()))
        .cluster(steered(form, &shop)?);
    let bootstrap = match form {
        Wasm => bootstrap,
        DynamicModule => bootstrap.observing(DynamicModule, &Value::Null)?,
    };
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let mut client = Client::new(service.local());

    let new = client.get("/steered", &[])?;
    let cookies = cookies(&new);
    let own = match carrier {
        "cookie" => {
            let [.., own] = &cookies[..] else {
                anyhow::bail!("no cookie: {new:?}");
            };
            let pair = own.split(';').next().context("a pair")?;
            ensure!(pair.starts_with("__Host-s=") && pair.len() > 100, "{new:?}");
            ("cookie", pair.to_owned())
        }
        _ => {
            let token = new.header(SESSION).context("no token")?;
            ensure!(token != "planted", "{new:?}");
            (SESSION, token.to_owned())
        }
    };
    for path in ["/steered", "/passing"] {
        let kept = client.get(path, &[(own.0, &own.1)])?;
        ensure!(kept.status == 200, "{path}: {kept:?}");
        let left = self::cookies(&kept);
        let others = match carrier {
            "cookie" => vec!["a=1; Path=/", "b=2"],
            // The cookie of this name belongs to the application.
            _ => vec![
                "a=1; Path=/",
                "__Host-s=planted; path=/; SECURE",
                "b=2",
                "=__Host-s=planted",
            ],
        };
        ensure!(left == others, "{path}: {kept:?}");
        let header = (carrier == "cookie").then_some("planted");
        ensure!(kept.header(SESSION) == header, "{path}: {kept:?}");
    }
    let stripped = envoy.total("spillgate.sessions.stripped")?;
    ensure!(stripped >= 2, "{stripped} responses");
    envoy.check_filter()
}

fn cookies(answer: &HttpResponse) -> Vec<&str> {
    let headers = answer.headers.iter();
    let named = headers.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    named.map(|(_, value)| value.as_str()).collect()
}

/// A server that sets cookies and a session header.
fn planting(port: u16) -> Value {
    let mut server = http_listener("server", port, &[], Vec::new());
    server["address"]["socket_address"]["address"] = json!("127.34.0.1");
    let manager = &mut server["filter_chains"][0]["filters"][0]["typed_config"];
    manager["route_config"]["virtual_hosts"][0]["routes"] = json!([{
        "match": {"prefix": "/"},
        "direct_response": {"status": 200},
    }]);
    let header = |key: &str, value: &str| json!({"header": {"key": key, "value": value}});
    manager["route_config"]["response_headers_to_add"] = json!([
        header("set-cookie", "a=1; Path=/"),
        header("Set-Cookie", "__Host-s=planted; path=/; SECURE"),
        header("set-cookie", "b=2"),
        header("set-cookie", "=__Host-s=planted"),
        header(SESSION, "planted"),
    ]);
    server
}
