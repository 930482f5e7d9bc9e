//! Lines that the real Envoy writes, in its default format, in Istio's and as JSON, are explained.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, KEY_HEADER, http_listener, native, plain, priority, to_cluster, with_panic_threshold,
};
use spillgate_e2e::{Client, Envoy, EnvoyOptions, Port, Workdir, eventually, spillgate};

/// Istio's default text format.
const ISTIO: &str = "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\" %RESPONSE_CODE% \
    %RESPONSE_FLAGS% %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% \
    \"%UPSTREAM_TRANSPORT_FAILURE_REASON%\" %BYTES_RECEIVED% %BYTES_SENT% %DURATION% \
    %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\" \
    \"%REQ(:AUTHORITY)%\" \"%UPSTREAM_HOST%\" %UPSTREAM_CLUSTER_RAW% %UPSTREAM_LOCAL_ADDRESS% \
    %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS% %REQUESTED_SERVER_NAME% %ROUTE_NAME%\n";

/// The access logs of a connection manager in three formats, in a folder.
fn access_logs(workdir: &Workdir) -> Value {
    let keys = json!({
        "method": "%REQ(:METHOD)%",
        "path": "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%",
        "authority": "%REQ(:AUTHORITY)%",
        "response_code": "%RESPONSE_CODE%",
        "response_flags": "%RESPONSE_FLAGS%",
        "upstream_host": "%UPSTREAM_HOST%",
        "upstream_cluster": "%UPSTREAM_CLUSTER%",
        "downstream_local_address": "%DOWNSTREAM_LOCAL_ADDRESS%",
    });
    let log = |name: &str, format: Value| {
        let mut config = json!({
            "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
            "path": workdir.path().join(name),
        });
        if format != Value::Null {
            config["log_format"] = format;
        }
        json!({"name": name, "typed_config": config})
    };
    json!([
        log("envoy", Value::Null),
        log(
            "istio",
            json!({"text_format_source": {"inline_string": ISTIO}})
        ),
        log("json", json!({"json_format": keys})),
    ])
}

#[test]
fn lines_of_the_real_envoy_are_explained() -> Result<()> {
    let workdir = Workdir::new("access_log")?;
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let shop = priority("127.3.0", hosts.number(), "hhhh")?;
    let shop = plain("shop", Policy::Maglev(Default::default()), vec![shop]);
    let down = priority("127.3.1", hosts.number(), "uu")?;
    let down = with_panic_threshold(plain("down", Policy::Random, vec![down]), 0);
    let routes = [to_cluster("/shop", "shop"), to_cluster("/down", "down")];
    let mut listener = http_listener("service", service.number(), &routes, Vec::new());
    listener["filter_chains"][0]["filters"][0]["typed_config"]["access_log"] =
        access_logs(&workdir);
    let bootstrap = Bootstrap::new()
        .listener(listener)
        .cluster(native(&shop)?)
        .cluster(native(&down)?)
        .hosts_of(&shop);
    let options = EnvoyOptions {
        arguments: &["--file-flush-interval-msec", "50"],
        ..EnvoyOptions::default()
    };
    let envoy = Envoy::start_as(&workdir, options, |node, admin| {
        bootstrap.to_json(node, admin)
    })?;
    let mut client = Client::new(service.local());
    let requests = [
        ("/shop", 200, ""),
        ("/down", 503, "UH"),
        ("/other", 404, "NR"),
    ];
    for (path, status, _) in requests {
        let reply = client.get(path, &[(KEY_HEADER, "u1")])?;
        ensure!(reply.status == status, "{path}: {}", reply.status);
    }
    let config = envoy
        .config()
        .to_str()
        .context("a path that is not UTF-8")?;
    for format in ["envoy", "istio", "json"] {
        let file = workdir.path().join(format);
        let lines = eventually(
            &format!("the lines of {format}"),
            Duration::from_secs(10),
            || {
                let text = fs::read_to_string(&file)?;
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                Ok((lines.len() == requests.len()).then_some(lines))
            },
        )?;
        for (line, (path, status, flag)) in lines.iter().zip(requests) {
            let header = format!("{KEY_HEADER}: u1");
            let args = ["explain", config, "--log", line, "--header", &header];
            let done =
                spillgate([&args[..], &["--listener", "service", "--format", "json"]].concat())?;
            let found: Value = serde_json::from_str(&done.output)?;
            let log = &found["log"];
            ensure!(
                log["format"] == format && log["status"] == status,
                "{line}: {log}"
            );
            let flags = log["flags"].as_array().context("no flags")?;
            let flags: Vec<&Value> = flags.iter().map(|one| &one["flag"]).collect();
            ensure!(
                flags == if flag.is_empty() { vec![] } else { vec![flag] },
                "{line}: {log}"
            );
            // The hash chooses the host, so Envoy's host is the only possible one; the others have none.
            ensure!(
                log["share"] == 10_000 && log["differs"] == json!([]),
                "{path}: {line}: {log}"
            );
            if status == 200 {
                ensure!(found["endpoint"] == log["endpoint"], "{line}: {found}");
            }
        }
    }
    Ok(())
}
