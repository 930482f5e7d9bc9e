//! The use cases of `docs/mesh/`, and generated documents of Istio, in the real Envoy: the converted
//! configuration serves requests as `split` predicts for the same documents and health, in both
//! readings of Kuma's policies.

use anyhow::{Result, bail, ensure};
use spillgate_e2e::config::{KEY_HEADER, SERVED_HEADER};
use spillgate_e2e::mesh::{
    ConvertedMesh, ISTIO_CONVERSIONS, LocalZone, MeshCounts, MeshFiles, MeshForm, MeshShares,
    RandomIstioMesh, Reading, USE_CASES, UseCase, VARIANTS, WEIGHTLESS, fits,
};
use spillgate_e2e::{Client, Envoy, Port, Workdir};

/// Requests of each measurement.
const REQUESTS: u64 = 3_000;

#[test]
fn the_eight_use_cases_are_served_as_predicted() -> Result<()> {
    all_fit("mesh_use_cases", &USE_CASES)
}

#[test]
fn other_readings_thresholds_and_emptied_routes_are_served_as_predicted() -> Result<()> {
    all_fit("mesh_variants", &VARIANTS)?;
    // The variants show differences only while the readings convert to different configurations.
    let workdir = Workdir::new("mesh_readings")?;
    for case in &VARIANTS[..2] {
        let files = MeshFiles::new(&workdir, case, &Port::lease()?)?;
        let [kuma, madr] =
            Reading::ALL.map(|reading| ConvertedMesh::new(&files, reading, MeshForm::Envoy));
        ensure!(kuma? != madr?, "{}: the readings agree", case.name);
    }
    Ok(())
}

#[test]
fn an_added_weight_prevents_the_503_of_hash_policies() -> Result<()> {
    let workdir = Workdir::new("mesh_weightless")?;
    let hosts = Port::lease()?;
    let files = MeshFiles::new(&workdir, &WEIGHTLESS, &hosts)?;
    let converted = ConvertedMesh::new(&files, Reading::Kuma, MeshForm::Envoy)?;
    let as_sent = converted.without_failover_weights()?;
    let mut no_host = Vec::new();
    for health in LocalZone::ALL {
        let lost = files.lost(health);
        let (counts, _) = served(&workdir, &converted.with_lost(&lost)?)?;
        let lost_hosts = converted.with_lost(&lost)?;
        let shares = MeshShares::of_converted(&workdir, &files, Reading::Kuma, &lost_hosts)?;
        Line::new("with weight", Reading::Kuma, health).fit(&counts, &shares, &files)?;

        let (counts, published) = served(&workdir, &as_sent.with_lost(&lost)?)?;
        let published = Some(published.as_str());
        let shares = MeshShares::of_documents(&workdir, &files, Reading::Kuma, &lost, published)?;
        Line::new("without weight", Reading::Kuma, health).fit(&counts, &shares, &files)?;
        no_host.push(shares.no_host);
    }
    ensure!(no_host == [0.0, 0.0, 100.0], "{no_host:?}");
    Ok(())
}

#[test]
fn documents_of_istio_are_served_as_predicted() -> Result<()> {
    let workdir = Workdir::new("mesh_istio")?;
    let mut misfits = Vec::new();
    let mut no_host = 0;
    for seed in 0..ISTIO_CONVERSIONS {
        let hosts = Port::lease()?;
        let istio = RandomIstioMesh::new(seed, hosts.number());
        let files = MeshFiles::istio(&workdir, &istio)?;
        let converted = ConvertedMesh::new(&files, Reading::Kuma, MeshForm::Envoy)?;
        let reachable = converted.hosts()?;
        let lost = istio.lost.intersection(&reachable).cloned().collect();
        let (counts, published) = served(&workdir, &converted.with_lost(&lost)?)?;
        let published = Some(published.as_str());
        let shares = MeshShares::of_documents(&workdir, &files, Reading::Kuma, &lost, published)?;
        no_host += usize::from(shares.no_host > 0.0);
        let probability = counts.probability(&shares, &files)?;
        let line = format!(
            "seed {seed}: {}; p = {probability:.2e}",
            counts.comparison(&shares, &files),
        );
        println!("{line}");
        if !fits(probability) {
            misfits.push(format!("{line}: {}", converted.text()));
        }
    }
    ensure!(misfits.is_empty(), "{misfits:#?}");
    ensure!(no_host > 2, "{no_host} seeds have requests without a host");
    Ok(())
}

/// Measures all cases and prints a line for each measurement.
fn all_fit(name: &str, cases: &[UseCase]) -> Result<()> {
    let workdir = Workdir::new(name)?;
    let mut misfits = Vec::new();
    for case in cases {
        let hosts = Port::lease()?;
        let files = MeshFiles::new(&workdir, case, &hosts)?;
        let mut measured: Option<ConvertedMesh> = None;
        for reading in Reading::ALL {
            let converted = ConvertedMesh::new(&files, reading, MeshForm::Envoy)?;
            if measured.as_ref() == Some(&converted) {
                println!("{}: madr converts to the same configuration", case.name);
                continue;
            }
            for health in LocalZone::ALL {
                let lost = files.lost(health);
                let (counts, published) = served(&workdir, &converted.with_lost(&lost)?)?;
                let published = Some(published.as_str());
                let shares = MeshShares::of_documents(&workdir, &files, reading, &lost, published)?;
                let line = Line::new(case.name, reading, health);
                misfits.extend(line.fit(&counts, &shares, &files).err());
            }
            measured = Some(converted);
        }
    }
    ensure!(misfits.is_empty(), "{misfits:#?}");
    Ok(())
}

/// The counts of an Envoy with this configuration, and its `/clusters`.
fn served(workdir: &Workdir, converted: &ConvertedMesh) -> Result<(MeshCounts, String)> {
    let service = Port::lease()?;
    let envoy = Envoy::start(workdir, &converted.bootstrap(service.number())?)?;
    let mut client = Client::new(service.local());
    let mut counts = MeshCounts::default();
    for number in 0..REQUESTS {
        let response = client.get("/", &[(KEY_HEADER, &format!("user-{number}"))])?;
        match (response.status, response.header(SERVED_HEADER)) {
            (200, Some(host)) => *counts.hosts.entry(host.to_owned()).or_default() += 1,
            (503, None) if response.text() == "no healthy upstream" => counts.no_host += 1,
            other => bail!("{other:?}: {}", response.text()),
        }
    }
    Ok((counts, envoy.admin("/clusters")?))
}

/// A line of the output.
struct Line<'a> {
    name: &'a str,
    reading: Reading,
    health: LocalZone,
}

impl<'a> Line<'a> {
    fn new(name: &'a str, reading: Reading, health: LocalZone) -> Self {
        Self {
            name,
            reading,
            health,
        }
    }

    /// Prints the measurement, and fails if it does not fit.
    fn fit(&self, counts: &MeshCounts, shares: &MeshShares, files: &MeshFiles) -> Result<()> {
        let probability = counts.probability(shares, files)?;
        let line = format!(
            "{} ({}), local zone {}: {}; p = {probability:.2e}",
            self.name,
            self.reading.name(),
            self.health.name(),
            counts.comparison(shares, files),
        );
        println!("{line}");
        ensure!(fits(probability), "{line}");
        Ok(())
    }
}
