//! Clients that name a server of their choice, in every notation and in every place that the filter
//! or Envoy reads: Envoy sends no request to it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine as _};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{Bootstrap, HOST_HEADER, SERVED_HEADER, plain, priority};
use spillgate_e2e::hostile::target_texts;
use spillgate_e2e::sessions::{COOKIE, Gateway, sticky};
use spillgate_e2e::{Client, Port, Upstream, Workdir, amount, figure, fresh_secret};

/// In short form, one of that many texts is sent.
const SHORT: usize = 20;

/// Where a request names its target.
const PLACES: [&str; 7] = [
    "cookie",
    "token",
    "session of Envoy",
    "session of gRPC",
    "headers",
    "forwarding headers",
    "host",
];

#[rstest]
fn no_named_target_is_followed(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    let workdir = Workdir::in_form("filter_targets", form)?;
    let (hosts, decoy) = (Port::lease()?, Port::lease()?);
    let number = hosts.number();
    let priorities = vec![priority("127.22.0", number, "hhhuu")?];
    let cluster: Cluster = plain("shop", Policy::RoundRobin, priorities);
    let key = fresh_secret()?;
    let mut affinity = sticky(&[(1, &key)]);
    affinity["accept"] = json!(["envoy_cookie", "grpc_cookie"]);
    let filter = json!({
        "target": "shop",
        "affinity": affinity,
        "reserved_headers": ["x-gateway-destination-endpoint", "x-envoy-original-dst-host"],
    });
    let gateway = Gateway::configured(&workdir, &[&cluster], filter, Bootstrap::new())?;
    let healthy: Vec<String> = (1..=3).map(|n| format!("127.22.0.{n}:{number}")).collect();

    // A server that is in no cluster, an unhealthy host, the admin, and the service itself.
    let outside = format!("127.22.9.1:{}", decoy.number());
    let server = Upstream::open(&outside)?;
    let admin = gateway.envoy.admin_address();
    let victims = [outside, format!("127.22.0.4:{number}"), admin.to_string()];
    let ports = [admin.port(), gateway.service.number(), 80];
    let every = amount(SHORT, 1);
    let texts: Vec<String> = target_texts(&victims, &ports)
        .into_iter()
        .step_by(every)
        .collect();

    let mut client = gateway.client();
    let mut served = BTreeMap::new();
    for text in &texts {
        for place in PLACES {
            let context = || format!("{text:?} as {place}");
            let host = named(&mut client, place, text).with_context(context)?;
            if let Some(host) = host {
                ensure!(healthy.contains(&host), "{}: served by {host}", context());
                *served.entry(place).or_insert(0_usize) += 1;
            }
        }
    }
    ensure!(server.requests() == 0, "{} reached", server.requests());
    for place in PLACES {
        let count = served.get(place).copied().unwrap_or_default();
        println!("{count:>8} served with a target as {place}");
        ensure!(
            count * 3 > texts.len(),
            "{place}: {count} of {}",
            texts.len()
        );
    }
    gateway.envoy.check_filter()?;
    figure(format_args!(
        "{} texts in {} places, 0 followed",
        texts.len(),
        PLACES.len()
    ));
    Ok(())
}

/// Sends a request that names the target in that place: the host that served it, or nothing if Envoy
/// refused the request as malformed.
fn named(client: &mut Client, place: &str, text: &str) -> Result<Option<String>> {
    let mut host = "shop.example";
    let headers = match place {
        "cookie" => vec![("cookie", format!("{COOKIE}={text}"))],
        "token" => vec![("cookie", format!("{COOKIE}={}", token(text)))],
        "session of Envoy" => vec![("cookie", format!("{COOKIE}=\"{}\"", of_envoy(text)))],
        "session of gRPC" => {
            let session = BASE64_STANDARD.encode(format!("{text};shop"));
            vec![("cookie", format!("{COOKIE}={session}"))]
        }
        "headers" => [
            HOST_HEADER,
            "x-gateway-destination-endpoint",
            "x-envoy-original-dst-host",
        ]
        .map(|name| (name, text.to_owned()))
        .into(),
        "forwarding headers" => vec![
            ("x-forwarded-host", text.to_owned()),
            ("forwarded", format!("host=\"{text}\"")),
            ("x-original-url", text.to_owned()),
        ],
        _ => {
            host = text;
            Vec::new()
        }
    };
    let mut request = format!("GET / HTTP/1.1\r\nhost: {host}\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    let answer = client.raw((request + "\r\n").as_bytes())?;
    let host = answer.header(SERVED_HEADER).map(str::to_owned);
    let refused = answer.status == 400 && host.is_none();
    ensure!(
        refused || answer.status == 200,
        "{} {}",
        answer.status,
        answer.text()
    );
    ensure!(refused || host.is_some(), "no host served it");
    Ok(host)
}

/// The text in the place of a token's content.
fn token(text: &str) -> String {
    let mut bytes = vec![1, 1];
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(90, 0);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The text as the address in a cookie of Envoy's `stateful_session`: field 1 of a message.
fn of_envoy(text: &str) -> String {
    let mut bytes = vec![0x0a, text.len() as u8];
    bytes.extend_from_slice(text.as_bytes());
    BASE64_STANDARD.encode(bytes)
}
