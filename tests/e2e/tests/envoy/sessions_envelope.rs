//! Envelopes where requests are not steered: the host's own session id stays hidden from clients, and
//! the envelope from hosts.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, dropping_internal_headers, http_listener, native, our_filters, plain, priority,
    steered, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, HttpResponse, Port, Workdir, fresh_secret};

const MCP: &str = "mcp-session-id";
/// The response header in which the host repeats the session id that it received.
const SAW: &str = "x-saw";
/// The host's own session id.
const OWN: &str = "server-7";

#[rstest]
fn ids_are_sealed_and_opened_on_every_route_of_the_filter(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_envelope", form)?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let priorities = vec![priority("127.17.0", port.number(), "h")?];
    let cluster = plain("tools", Policy::RoundRobin, priorities);
    let filter = json!({
        "clusters": [native(&cluster)?],
        "targets": [{"match": {"prefix": "/steered"}, "cluster": "tools"}],
        "route_settings": true,
        "affinity": {
            "envelope": {"name": MCP},
            "keys": [{"id": 1, "secret": fresh_secret()?}],
            "on_lost": {"status": 404},
        },
    });
    let metadata = json!({"filter_metadata": {"spillgate": {"disabled": true}}});
    let routes = [
        json!({
            "match": {"prefix": "/steered/disabled"},
            "metadata": metadata,
            "route": {"cluster": "tools"},
        }),
        json!({"match": {"prefix": "/unmatched"}, "route": {"cluster": "tools"}}),
        to_chosen_cluster(workdir.form()),
    ];
    let listener = http_listener(
        "service",
        service.number(),
        &routes,
        our_filters(workdir.form(), &filter)?,
    );
    let bootstrap = Bootstrap::new()
        .listener(dropping_internal_headers(listener))
        .listener(server(port.number()))
        .cluster(steered(workdir.form(), &cluster)?);
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let mut client = Client::new(service.local());

    let mut sealed = Vec::new();
    for path in ["/steered", "/steered/disabled", "/unmatched"] {
        let first = client.get(path, &[])?;
        let id = id(&first).with_context(|| format!("{path}: {first:?}"))?;
        ensure!(!id.contains(OWN), "{path}: {id}");
        sealed.push(id.to_owned());
    }
    // Each id is good on each route.
    for path in ["/steered", "/steered/disabled", "/unmatched"] {
        for envelope in &sealed {
            let answer = client.get(path, &[(MCP, envelope)])?;
            ensure!(answer.header(SAW) == Some(OWN), "{path}: {answer:?}");
            ensure!(id(&answer) == Some(envelope), "{path}: {answer:?}");
        }
        let forged = client.get(path, &[(MCP, OWN)])?;
        ensure!(forged.status == 404, "{path}: {forged:?}");
        ensure!(forged.header(MCP) == Some(""), "{path}: {forged:?}");
    }
    envoy.check_filter()
}

fn id(answer: &HttpResponse) -> Option<&str> {
    answer.header(MCP).filter(|_| answer.status == 200)
}

/// A server that repeats the session id of the request, and returns its own.
fn server(port: u16) -> Value {
    let mut server = http_listener("server", port, &[], Vec::new());
    server["address"]["socket_address"]["address"] = json!("127.17.0.1");
    let manager = &mut server["filter_chains"][0]["filters"][0]["typed_config"];
    manager["route_config"]["virtual_hosts"][0]["routes"] = json!([{
        "match": {"prefix": "/"},
        "direct_response": {"status": 200},
    }]);
    manager["route_config"]["response_headers_to_add"] = json!([
        {"header": {"key": SAW, "value": format!("%REQ({MCP})%")}},
        {"header": {"key": MCP, "value": OWN}},
    ]);
    server
}
