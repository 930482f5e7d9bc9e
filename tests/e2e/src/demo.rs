//! The demo with its shipped files, on free ports.

use std::net::SocketAddr;

use anyhow::{Context as _, Result, ensure};
use spillgate_testkit::demo::{DemoTemplate, DemoTopology};

use crate::config::Delivery;
use crate::{Client, Envoy, Need, Port, Workdir, documents, needed};

const ENVOY: &str = include_str!("../../../envoy-config/demo/envoy.yaml");
const FILTER: &str = include_str!("../../../envoy-config/demo/filter.json");

/// The running demo. Its hosts are at 127.0.1.1 to 127.0.1.10, and at 127.0.2.1 to 127.0.2.5.
#[derive(Debug)]
pub struct RunningDemo<'w> {
    /// The process.
    pub envoy: Envoy,
    workdir: &'w Workdir,
    delivery: Delivery<'w>,
    topology: DemoTopology,
    version: u64,
    page: Port,
    service: Port,
    hosts: Port,
}

impl<'w> RunningDemo<'w> {
    /// Starts with healthy hosts.
    ///
    /// # Errors
    /// When Envoy does not start.
    pub fn start(workdir: &'w Workdir) -> Result<Self> {
        let (page, service, hosts) = (Port::lease()?, Port::lease()?, Port::lease()?);
        let template = |admin: u16| -> Result<DemoTemplate> {
            let ports = [
                (8080, page.number()),
                (8081, service.number()),
                (8090, hosts.number()),
                (9901, admin),
            ];
            let places = vec![
                (
                    "target/spillgate/demo",
                    workdir.path().display().to_string(),
                ),
                (
                    "target/spillgate/www",
                    needed(Need::Www)?.display().to_string(),
                ),
            ];
            Ok(DemoTemplate::new(&ports, places))
        };
        let delivery = Delivery::new(workdir)?;
        let topology = DemoTopology::parse(&template(0)?.fill(FILTER))?;
        write_state(workdir, &delivery, &topology, 1)?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            let documents = documents(&template(admin)?.fill(ENVOY))?;
            let mut bootstrap = documents.into_iter().next().context("no bootstrap")?;
            bootstrap["node"]["id"] = node.into();
            Ok(bootstrap.to_string())
        })?;
        Ok(Self {
            envoy,
            workdir,
            delivery,
            topology,
            version: 1,
            page,
            service,
            hosts,
        })
    }

    /// The address of the page.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}/", self.page.local())
    }

    /// The listener with the filter.
    #[must_use]
    pub const fn service(&self) -> SocketAddr {
        self.service.local()
    }

    /// The port of the hosts.
    #[must_use]
    pub const fn host_port(&self) -> u16 {
        self.hosts.number()
    }

    /// Fails exactly these hosts, given by their IP addresses, as `cargo xtask demo kill` does.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn fail(&mut self, ips: &[&str]) -> Result<()> {
        let port = self.hosts.number();
        let failed = ips.iter().map(|ip| format!("{ip}:{port}")).collect();
        self.topology.set_killed(&failed)?;
        self.write()
    }

    /// Changes the weight of a host in Envoy and in the filter.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn set_weight(&mut self, ip: &str, weight: u32) -> Result<()> {
        let host = format!("{ip}:{}", self.hosts.number());
        self.topology.set_weight(&host, weight)?;
        self.write()
    }

    fn write(&mut self) -> Result<()> {
        self.version += 1;
        write_state(self.workdir, &self.delivery, &self.topology, self.version)
    }

    /// Sends requests of as many users, each of which must be served.
    ///
    /// # Errors
    /// When one is not.
    pub fn send(&self, users: std::ops::Range<u32>) -> Result<()> {
        let mut client = Client::new(self.service());
        for user in users {
            let response = client.get("/", &[("x-user", &user.to_string())])?;
            ensure!(response.status == 200, "user {user}: {}", response.status);
        }
        Ok(())
    }
}

fn write_state(
    workdir: &Workdir,
    delivery: &Delivery<'_>,
    topology: &DemoTopology,
    version: u64,
) -> Result<()> {
    for (cluster, content) in topology.endpoint_files(version)? {
        workdir.write(&format!("eds-{cluster}.json"), &content)?;
    }
    delivery.give(&topology.filter_config())
}
