//! The documents of a use case or of a seed, with hosts at addresses of this machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use spillgate_testkit::{Port, repository};

use super::{LocalZone, RandomIstioMesh, Reading, UseCase};
use crate::{Workdir, command::spillgate, documents};

/// The address in the examples, up to its first dot, and the port.
const DOCUMENTED: (&str, &str) = ("address: 10.", "port: 8080");

/// The files of a use case or of a seed.
#[derive(Debug)]
pub struct MeshFiles {
    /// The first policy, then the other files.
    files: Vec<PathBuf>,
    /// The arguments of the point of view.
    caller: [String; 2],
    /// The zone of the caller.
    zone: String,
    hosts: Vec<MeshHostFact>,
}

/// A host according to its document.
#[derive(Debug, Clone)]
struct MeshHostFact {
    address: String,
    zone: String,
}

/// The folder with the documents.
pub(super) fn examples() -> PathBuf {
    repository().join("docs/mesh/examples")
}

impl MeshFiles {
    /// Writes the documents to `workdir`: a host at 10.x.y.z:8080 is at 127.x.y.z and this port.
    ///
    /// # Errors
    /// If a file is missing or does not have the expected form.
    pub fn new(workdir: &Workdir, case: &UseCase, port: &Port) -> Result<Self> {
        let folder = examples();
        let mut files = Vec::new();
        for name in case.policies {
            let mut text = fs::read_to_string(folder.join(name)).context(*name)?;
            if let Some((from, to)) = case.change {
                ensure!(text.contains(from), "{name} does not contain {from:?}");
                text = text.replace(from, to);
            }
            files.push(workdir.write(name, &text)?);
        }
        let text = fs::read_to_string(folder.join(case.endpoints)).context(case.endpoints)?;
        let (address, documented_port) = DOCUMENTED;
        let text = text
            .replace(address, "address: 127.")
            .replace(documented_port, &format!("port: {}", port.number()));
        files.push(workdir.write(case.endpoints, &text)?);
        let hosts = documents(&text)?;
        let dataplanes = hosts.iter().filter(|of| of["type"] == "Dataplane");
        let hosts = dataplanes.map(|dataplane| {
            host(dataplane).with_context(|| format!("not a host of a zone: {dataplane}"))
        });
        let caller = match case.proxy {
            Some(file) => ["--proxy".into(), path_text(&folder.join(file))?],
            None => ["--as".into(), case.zone.into()],
        };
        Ok(Self {
            files,
            caller,
            zone: case.zone.into(),
            hosts: hosts.collect::<Result<_>>()?,
        })
    }

    /// Writes generated documents of Istio to `workdir`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn istio(workdir: &Workdir, istio: &RandomIstioMesh) -> Result<Self> {
        let texts: Vec<String> = istio.documents.iter().map(Value::to_string).collect();
        let file = workdir.write("documents.yaml", &texts.join("\n---\n"))?;
        let proxy = workdir.write("proxy.json", &istio.proxy.to_string())?;
        let hosts = istio.hosts.iter().map(|(address, locality)| MeshHostFact {
            address: address.clone(),
            zone: locality.clone(),
        });
        Ok(Self {
            files: vec![file],
            caller: ["--proxy".into(), path_text(&proxy)?],
            zone: istio.proxy["locality"].to_string(),
            hosts: hosts.collect(),
        })
    }

    /// All hosts, in the order of their documents.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.iter().map(|host| host.address.as_str())
    }

    /// The zone of a host.
    #[must_use]
    pub fn zone_of(&self, address: &str) -> Option<&str> {
        let mut hosts = self.hosts.iter();
        let host = hosts.find(|host| host.address == address)?;
        Some(&host.zone)
    }

    /// The unhealthy hosts: those of the caller's zone, from the end of the documents.
    #[must_use]
    pub fn lost(&self, health: LocalZone) -> BTreeSet<String> {
        let local = self.hosts.iter().filter(|host| host.zone == self.zone);
        let kept = health.kept(local.clone().count());
        local.skip(kept).map(|host| host.address.clone()).collect()
    }

    /// The output of a command that reads mesh documents.
    ///
    /// # Errors
    /// If the command rejects them.
    pub(super) fn run(&self, command: &str, reading: Reading, more: &[&str]) -> Result<String> {
        let mut words = vec![command.to_owned()];
        for (at, file) in self.files.iter().enumerate() {
            if at > 0 {
                words.push("--endpoints".into());
            }
            words.push(path_text(file)?);
        }
        words.extend(self.caller.iter().cloned());
        words.extend(["--compat".into(), reading.name().into()]);
        words.extend(more.iter().map(|&word| word.to_owned()));
        Ok(spillgate(words)?.output)
    }
}

/// The host of a Dataplane.
fn host(dataplane: &Value) -> Option<MeshHostFact> {
    let networking = dataplane.get("networking")?;
    let inbound = networking.get("inbound")?.get(0)?;
    let address = networking.get("address")?.as_str()?;
    let port = inbound.get("port")?.as_u64()?;
    let zone = inbound.get("tags")?.get("kuma.io/zone")?.as_str()?;
    address.starts_with("127.").then(|| MeshHostFact {
        address: format!("{address}:{port}"),
        zone: zone.to_owned(),
    })
}

fn path_text(path: &Path) -> Result<String> {
    Ok(path.to_str().context("a path in UTF-8")?.to_owned())
}
