//! The alerting rules: their unit tests, and a real Prometheus that reads the exporter of a real Envoy.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::{Client, Envoy, Need, Port, Workdir, eventually, needed, spillgate};
use spillgate_testkit::{Process, repository};
use url::form_urlencoded::byte_serialize;

/// Far longer than a few scrapes take.
const LIMIT: Duration = Duration::from_secs(60);

fn rules() -> std::path::PathBuf {
    repository().join("docs/grafana/alerts.yaml")
}

fn promtool(arguments: &[&str], file: &Path) -> Result<()> {
    let mut command = Command::new(needed(Need::Promtool)?);
    let output = command.args(arguments).arg(file).output()?;
    let texts =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    ensure!(output.status.success(), "{}", texts.concat());
    Ok(())
}

#[test]
fn every_alert_fires_when_it_must_and_not_before() -> Result<()> {
    promtool(&["check", "rules"], &rules())?;
    let text =
        fs::read_to_string(repository().join("tests/e2e/tests/prometheus/alerts.test.yaml"))?;
    let workdir = Workdir::new("prometheus_rules")?;
    let path = rules().display().to_string();
    let tests = workdir.write(
        "alerts.test.yaml",
        &text.replace("[ALERTS]", &json!([path]).to_string()),
    )?;
    promtool(&["test", "rules"], &tests)?;
    let rules = fs::read_to_string(rules())?;
    let names = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "));
    let untested: Vec<&str> = names.filter(|name| !text.contains(name)).collect();
    ensure!(untested.is_empty(), "no test of {untested:?}");
    Ok(())
}

/// Two hosts in each of three zones; EDS sends them from this file.
fn hosts(workdir: &Workdir, failed_zones: &[&str]) -> Result<()> {
    let zones = ["a", "b", "c"].iter().zip(1..).map(|(zone, number)| {
        let health = if failed_zones.contains(zone) {
            "UNHEALTHY"
        } else {
            "HEALTHY"
        };
        let hosts = [1, 2].map(|host| {
            let address = format!("10.0.{number}.{host}");
            let address = json!({"socket_address": {"address": address, "port_value": 80}});
            json!({"health_status": health, "endpoint": {"address": address}})
        });
        json!({"locality": {"zone": zone}, "lb_endpoints": hosts})
    });
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": zones.collect::<Vec<_>>(),
    });
    let response = json!({"version_info": failed_zones.concat(), "resources": [resource]});
    workdir.write("eds.json", &response.to_string())?;
    Ok(())
}

/// An Envoy with the cluster `shop`, which is in panic mode with four of six hosts.
fn envoy(workdir: &Workdir) -> Result<Envoy> {
    Envoy::start_with(workdir, |node, port| {
        let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": port}});
        let bootstrap = json!({
            "node": {"id": node, "cluster": "c"},
            "admin": {"address": address},
            "static_resources": {"clusters": [{
                "name": "shop", "type": "EDS", "connect_timeout": "1s",
                "common_lb_config": {"healthy_panic_threshold": {"value": 70}},
                "eds_cluster_config": {"eds_config": {
                    "resource_api_version": "V3",
                    "path_config_source": {"path": workdir.path().join("eds.json").display().to_string()},
                }},
            }]},
        });
        Ok(bootstrap.to_string())
    })
}

/// A Prometheus that reads an exporter each second.
struct Prometheus {
    process: Process,
    address: std::net::SocketAddr,
}

impl Prometheus {
    fn start(workdir: &Workdir, exporter: &str, port: &Port) -> Result<Self> {
        let config = json!({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": [rules()],
            "scrape_configs": [{"job_name": "spillgate", "static_configs": [{"targets": [exporter]}]}],
        });
        // JSON is YAML.
        let config = workdir.write("prometheus.yml", &config.to_string())?;
        let address = port.local();
        let mut command = Command::new(needed(Need::Prometheus)?);
        command.arg(format!("--config.file={}", config.display()));
        command.arg(format!(
            "--storage.tsdb.path={}",
            workdir.path().join("data").display()
        ));
        command.arg(format!("--web.listen-address={address}"));
        let mut process = Process::start(
            "prometheus",
            &mut command,
            &workdir.path().join("prometheus.log"),
        )?;
        process.wait_until_ready(LIMIT, || {
            let ready = Client::new(address).get("/-/ready", &[]);
            Ok(ready.ok().filter(|ready| ready.status == 200).map(drop))
        })?;
        Ok(Self { process, address })
    }

    fn api(&self, path: &str) -> Result<Value> {
        let response = Client::new(self.address).get(&format!("/api/v1/{path}"), &[])?;
        let mut value: Value = serde_json::from_str(&response.text())?;
        ensure!(value["status"] == "success", "{path}: {value}");
        Ok(value["data"].take())
    }

    /// The samples of a time series: time and value.
    fn samples(&self, selector: &str) -> Result<Vec<(f64, f64)>> {
        let query: String = byte_serialize(format!("{selector}[5m]").as_bytes()).collect();
        let data = self.api(&format!("query?query={query}"))?;
        let values = data["result"][0]["values"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let sample = |value: &Value| Some((value[0].as_f64()?, value[1].as_str()?.parse().ok()?));
        Ok(values.iter().filter_map(sample).collect())
    }

    /// The firing alerts of a name.
    fn firing(&self, name: &str) -> Result<Vec<Value>> {
        let alerts = self.api("alerts")?;
        let alerts = alerts["alerts"].as_array().context("no alerts")?.iter();
        let named = alerts
            .filter(|alert| alert["labels"]["alertname"] == name && alert["state"] == "firing");
        Ok(named.cloned().collect())
    }
}

#[test]
fn a_failed_zone_is_an_alert_within_two_scrapes() -> Result<()> {
    let workdir = Workdir::new("prometheus_zone")?;
    hosts(&workdir, &[])?;
    let envoy = envoy(&workdir)?;
    let (exporter, port) = (Port::lease()?, Port::lease()?);
    let listen = exporter.local().to_string();
    let admin = format!("edge=http://{}", envoy.admin_address());
    let arguments = [
        "exporter",
        "--admin",
        &admin,
        "--listen",
        &listen,
        "--interval",
        "1s",
    ];
    let arguments = arguments.map(str::to_owned);
    // It serves until the test process ends.
    thread::spawn(move || spillgate(arguments));
    let mut prometheus = Prometheus::start(&workdir, &listen, &port)?;

    let panic = "spillgate_priority_panic";
    let is_read = |value: f64| {
        let samples = prometheus.samples(panic)?;
        Ok(samples
            .last()
            .is_some_and(|(_, last)| *last == value)
            .then_some(()))
    };
    eventually("figures of the Envoy", LIMIT, || is_read(0.0))?;
    let survives = prometheus.samples("spillgate_cluster_survives_zone_loss")?;
    ensure!(
        survives.last().is_some_and(|(_, value)| *value == 0.0),
        "{survives:?}"
    );
    ensure!(prometheus.firing("SpillgatePanicMode")?.is_empty());

    hosts(&workdir, &["a"])?;
    let alert = eventually("the alert", LIMIT, || {
        Ok(prometheus.firing("SpillgatePanicMode")?.pop())
    })?;
    let labels = &alert["labels"];
    ensure!(
        labels["cluster"] == "shop" && labels["target"] == "edge",
        "{alert}"
    );
    ensure!(
        labels["priority"] == "0" && labels["severity"] == "critical",
        "{alert}"
    );
    let summary = alert["annotations"]["summary"].as_str();
    ensure!(summary == Some("edge: shop P0 is in panic mode"), "{alert}");
    // The evaluation that found it: the time of the alert's first sample.
    let alerts =
        prometheus.samples("ALERTS{alertname=\"SpillgatePanicMode\",alertstate=\"firing\"}")?;
    let fired = alerts.first().context("no sample of the alert")?.0;
    let scrapes = prometheus.samples(panic)?;
    let in_panic = |(at, value): &&(f64, f64)| *value > 0.0 && *at <= fired;
    let seen = scrapes.iter().filter(in_panic).count();
    ensure!(
        (1..=2).contains(&seen),
        "{seen} scrapes before the alert: {scrapes:?}, {alerts:?}"
    );

    hosts(&workdir, &[])?;
    eventually("the end of the alert", LIMIT, || {
        Ok(prometheus
            .firing("SpillgatePanicMode")?
            .is_empty()
            .then_some(()))
    })?;
    prometheus.process.check_alive()
}
