//! The commands with the admin interface of the real Envoy: `--admin`, `--watch`, `capture`, `observe`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use spillgate::Done;
use spillgate_e2e::{Client, Envoy, Port, Upstream, Workdir, demo, eventually, spillgate};
use spillgate_testkit::demo::RunningDemo;
use spillgate_testkit::{CannedServer, canned_response};

/// Observes the demo while users send requests, each user one. Returns whether the result is negative.
fn observe(demo: &RunningDemo, first_user: u32, more: &[&str]) -> Result<(bool, String)> {
    let url = format!("http://{}", demo.envoy.admin_address());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let users = scope.spawn(|| -> Result<()> {
            let mut user = first_user;
            while !done.load(Ordering::SeqCst) {
                demo.send(user..user + 50)?;
                user += 50;
            }
            Ok(())
        });
        let observed = spillgate([&["observe", &url, "--interval", "3s"], more].concat());
        done.store(true, Ordering::SeqCst);
        users.join().ok().context("the users stopped")??;
        let observed = observed?;
        Ok((observed.negative, observed.output))
    })
}

/// Observes until the prediction fits: one of 100 observations that fit is a false alarm.
fn fits(demo: &RunningDemo, first_user: u32, more: &[&str]) -> Result<String> {
    let mut outputs = Vec::new();
    for attempt in 0..3 {
        let (differs, output) = observe(demo, first_user + attempt * 30_000, more)?;
        if !differs {
            return Ok(output);
        }
        outputs.push(output);
    }
    bail!("{}", outputs.concat())
}

#[test]
fn a_changed_weight_differs_from_a_model_that_was_not_updated() -> Result<()> {
    let workdir = Workdir::new("admin_observe")?;
    let mut demo = demo::start(&workdir)?;
    demo.send(0..10)?;
    let url = format!("http://{}", demo.envoy.admin_address());
    let model = workdir.path().join("model.json");
    let model = model.to_str().context("path")?;
    spillgate(["capture", &url, "-o", model])?;

    ensure!(fits(&demo, 1_000, &[])?.contains("shop: "));
    fits(&demo, 100_000, &["--config", model])?;

    demo.set_weight("127.0.1.1", 4)?;
    eventually("the new weight", Duration::from_secs(20), || {
        let dump = demo.envoy.get("/config_dump?include_eds")?;
        // In Envoy's endpoints, and in the filter's configuration, which is a text.
        let dump = dump.replace(['"', '\\', ' '], "");
        Ok((dump.matches("load_balancing_weight:4").count() >= 2).then_some(()))
    })?;
    let (differs, output) = observe(&demo, 200_000, &["--config", model])?;
    ensure!(differs && output.contains("differs"), "{output}");
    fits(&demo, 300_000, &[])?;
    Ok(())
}

/// Upstream hosts with these weights, which EDS sends.
fn weights(workdir: &Workdir, port: u16, weights: [u32; 2]) -> Result<()> {
    let endpoints = weights.iter().zip(1..).map(|(weight, host)| {
        let address =
            json!({"socket_address": {"address": format!("127.0.9.{host}"), "port_value": port}});
        json!({"load_balancing_weight": weight, "endpoint": {"address": address}})
    });
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [{"lb_endpoints": endpoints.collect::<Vec<_>>()}],
    });
    let response = json!({"version_info": format!("{weights:?}"), "resources": [resource]});
    workdir.write("eds.json", &response.to_string())?;
    Ok(())
}

/// Without a filter, and with the admin interface at a Unix socket.
#[test]
fn observe_finds_a_changed_weight_through_a_unix_socket() -> Result<()> {
    let workdir = Workdir::new("admin_weights")?;
    let (hosts, listener) = (Port::lease()?, Port::lease()?);
    let _upstreams = [1, 2]
        .map(|host| Upstream::open(&format!("127.0.9.{host}:{}", hosts.number())))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    weights(&workdir, hosts.number(), [1, 1])?;
    let envoy = start(&workdir, None, Some(listener.number()))?;
    // The socket leads to the admin interface, as `socat` or a shared volume of a pod would.
    let socket = workdir.path().join("admin.sock");
    let admin = envoy.admin_address();
    let _server = CannedServer::unix(&socket, move |path| {
        let response = Client::new(admin)
            .get(path, &[])
            .map_or_else(|error| format!("{error:?}"), |found| found.text());
        canned_response("200 OK", "", &response)
    })?;
    let url = format!("unix:{}", socket.display());
    let model = workdir.path().join("model.json");
    let model = model.to_str().context("path")?;
    spillgate(["capture", &url, "-o", model])?;

    let observed = |more: &[&str]| -> Result<Done> {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let sender = scope.spawn(|| -> Result<()> {
                let mut client = Client::new(listener.local());
                while !done.load(Ordering::SeqCst) {
                    ensure!(client.get("/", &[])?.status == 200);
                }
                Ok(())
            });
            let args = ["observe", &url, "--interval", "2s"];
            let observed = spillgate([&args, more].concat());
            done.store(true, Ordering::SeqCst);
            sender.join().ok().context("the sender stopped")??;
            observed
        })
    };
    for more in [&[][..], &["--config", model]] {
        let done = observed(more)?;
        ensure!(!done.negative, "{}", done.output);
    }
    weights(&workdir, hosts.number(), [1, 3])?;
    eventually("the new weight", Duration::from_secs(20), || {
        Ok(envoy
            .admin("/clusters")?
            .contains("::weight::3")
            .then_some(()))
    })?;
    let done = observed(&["--config", model])?;
    ensure!(
        done.negative && done.output.contains("differs"),
        "{}",
        done.output
    );
    let done = observed(&[])?;
    ensure!(!done.negative, "{}", done.output);
    Ok(())
}

/// A cluster with three hosts; EDS sends them from this file.
fn eds(workdir: &Workdir, healths: [&str; 3]) -> Result<()> {
    let endpoints = healths.iter().zip(1..).map(|(health, host)| {
        json!({"health_status": health, "endpoint": {"address": {"socket_address": {"address": format!("10.0.0.{host}"), "port_value": 80}}}})
    });
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [{"lb_endpoints": endpoints.collect::<Vec<_>>()}],
    });
    let response = json!({"version_info": healths.concat(), "resources": [resource]});
    workdir.write("eds.json", &response.to_string())?;
    Ok(())
}

/// An Envoy with the cluster `shop`, and a listener with a route to it if there is a port for one.
fn start(workdir: &Workdir, allowed: Option<Value>, listener: Option<u16>) -> Result<Envoy> {
    Envoy::start_with(workdir, |node, port| {
        let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": port}});
        let mut bootstrap = json!({
            "node": {"id": node, "cluster": "c", "metadata": {"token": "node-secret"}},
            "admin": {"address": address},
            "static_resources": {"clusters": [{
                "name": "shop", "type": "EDS", "connect_timeout": "1s",
                "common_lb_config": {"healthy_panic_threshold": {"value": 0}},
                "eds_cluster_config": {"eds_config": {
                    "resource_api_version": "V3",
                    "path_config_source": {"path": workdir.path().join("eds.json").display().to_string()},
                }},
            }]},
        });
        if let Some(paths) = &allowed {
            bootstrap["admin"]["allow_paths"] = paths.clone();
        }
        if let Some(port) = listener {
            bootstrap["static_resources"]["listeners"] = json!([routed(port)]);
        }
        Ok(bootstrap.to_string())
    })
}

fn routed(port: u16) -> Value {
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "edge",
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
            {"match": {"prefix": "/"}, "route": {"cluster": "shop"}},
        ]}]},
        "http_filters": [{"name": "router", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
        }}],
    });
    json!({
        "name": "edge",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
        "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
    })
}

/// The shares of the cluster's hosts.
fn shares(split: &str) -> Result<Vec<f64>> {
    let split: Value = serde_json::from_str(split)?;
    let endpoints = split["clusters"][0]["endpoints"]
        .as_array()
        .context("no endpoints")?;
    Ok(endpoints
        .iter()
        .filter_map(|row| row["share"].as_f64())
        .collect())
}

#[test]
fn health_from_eds_is_exact_live_and_in_a_capture() -> Result<()> {
    let workdir = Workdir::new("admin_eds")?;
    eds(&workdir, ["HEALTHY", "DRAINING", "UNHEALTHY"])?;
    let envoy = start(&workdir, None, None)?;
    let url = format!("http://{}", envoy.admin_address());
    let live = spillgate(["split", "--admin", &url, "--format", "json"])?;
    ensure!(live.warnings.is_empty(), "{:?}", live.warnings);
    ensure!(
        shares(&live.output)? == [100.0, 0.0, 0.0],
        "{}",
        live.output
    );
    // A dump shows draining hosts as unhealthy ones; /clusters distinguishes them.
    ensure!(live.output.contains("\"excluded\": 1"), "{}", live.output);

    let file = workdir.path().join("capture.json");
    let file = file.to_str().context("path")?;
    spillgate(["capture", &url, "-o", file])?;
    let kept = spillgate(["split", file, "--format", "json"])?;
    ensure!(kept == live, "{kept:?}");
    let text = std::fs::read_to_string(file)?;
    ensure!(!text.contains("node-secret"), "{text}");
    spillgate(["capture", &url, "-o", file, "--anonymize"])?;
    let text = std::fs::read_to_string(file)?;
    ensure!(
        !text.contains("shop") && !text.contains("\"10.0.0."),
        "{text}"
    );
    let kept = spillgate(["split", file, "--format", "json"])?;
    ensure!(
        shares(&kept.output)? == [100.0, 0.0, 0.0],
        "{}",
        kept.output
    );
    Ok(())
}

#[test]
fn a_forbidden_path_is_an_error_that_names_the_remedy() -> Result<()> {
    let workdir = Workdir::new("admin_forbidden")?;
    eds(&workdir, ["HEALTHY"; 3])?;
    let allowed = json!([{"prefix": "/ready"}, {"prefix": "/server_info"}, {"prefix": "/stats"}]);
    let envoy = start(&workdir, Some(allowed), None)?;
    let url = format!("http://{}", envoy.admin_address());
    let refused = spillgate(["split", "--admin", &url])
        .err()
        .context("no error")?;
    let text = refused.to_string();
    ensure!(
        text.contains("admin/status") && text.contains("admin.allow_paths"),
        "{text}"
    );
    Ok(())
}
