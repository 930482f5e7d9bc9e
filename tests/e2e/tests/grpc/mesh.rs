//! Use cases of `docs/mesh/` with gRPC's own client: `convert --portable` gives it the hosts and
//! shares that `split` predicts. Without `--portable`, it rejects priorities with a gap.
//!
//! gRPC ignores the overprovisioning factor: a priority serves while one of its hosts is healthy.
//! In these use cases, Envoy gives the same shares, because the factor of 200 keeps half of a zone
//! sufficient. gRPC has no panic mode either, so the prediction is that of a panic threshold of 0.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::mesh::{
    ConvertedMesh, GRPC_CASES, LocalZone, MeshCounts, MeshFiles, MeshForm, MeshShares, Reading,
    UseCase, fits,
};
use spillgate_e2e::{GrpcPeer, Port, Workdir, eventually};

/// Requests of each measurement.
const REQUESTS: u64 = 3_000;
/// Requests between two looks at the hosts that have answered.
const BATCH: u64 = 50;
/// The client connects within a second when it has the machine to itself.
const LIMIT: Duration = Duration::from_secs(30);
/// The name that the client resolves.
const TARGET: &str = "shop";

#[test]
fn grpc_serves_portable_use_cases_as_predicted() -> Result<()> {
    let workdir = Workdir::new("grpc_mesh")?;
    let mut misfits = Vec::new();
    for name in GRPC_CASES {
        let case = UseCase::named(name).context(name)?;
        let hosts = Port::lease()?;
        let files = MeshFiles::new(&workdir, &case, &hosts)?;
        let converted = ConvertedMesh::new(&files, Reading::Kuma, MeshForm::Portable)?;
        for health in LocalZone::ALL {
            let lost = files.lost(health);
            let shares = predicted(&workdir, &files, &converted, &lost)?;
            let served = converted.with_lost(&lost)?;
            let counts = counts(&workdir, &files, &served, &shares)?;
            let probability = counts.probability(&shares, &files)?;
            let line = format!(
                "{name}, local zone {}: {}; p = {probability:.2e}",
                health.name(),
                counts.comparison(&shares, &files),
            );
            println!("{line}");
            if !fits(probability) {
                misfits.push(line);
            }
        }
    }
    ensure!(misfits.is_empty(), "{misfits:#?}");
    Ok(())
}

#[test]
fn grpc_rejects_the_gap_that_portable_removes() -> Result<()> {
    let workdir = Workdir::new("grpc_mesh_gap")?;
    let case = UseCase::named("zone-groups").context("no such case")?;
    let hosts = Port::lease()?;
    let files = MeshFiles::new(&workdir, &case, &hosts)?;
    let resources = |form| ConvertedMesh::new(&files, Reading::Kuma, form)?.resources(TARGET);
    let mut peer = GrpcPeer::start(&workdir)?;
    peer.hosts_at(files.hosts())?;
    let with_gap = resources(MeshForm::Envoy)?;
    // The client asks for resources with its first request.
    peer.serve(&with_gap)?;
    let failed = peer.call(None)?;
    ensure!(failed.is_err(), "{failed:?}");
    let refused = peer
        .serve(&with_gap)
        .err()
        .context("gRPC accepts a gap")?
        .to_string();
    ensure!(refused.contains("priority"), "{refused}");
    peer.serve(&resources(MeshForm::Portable)?)?;
    eventually("an answer of a host", LIMIT, || {
        Ok(peer.call(None)?.is_ok().then_some(()))
    })
}

/// The shares that `split` predicts without panic mode. Where the documents do not lead to panic
/// mode, `split` of the documents must predict the same.
fn predicted(
    workdir: &Workdir,
    files: &MeshFiles,
    converted: &ConvertedMesh,
    lost: &BTreeSet<String>,
) -> Result<MeshShares> {
    let of = |converted: &ConvertedMesh| {
        MeshShares::of_converted(workdir, files, Reading::Kuma, converted)
    };
    let lost_hosts = converted.with_lost(lost)?;
    let of_documents = MeshShares::of_documents(workdir, files, Reading::Kuma, lost, None)?;
    let with_panic_mode = of(&lost_hosts)?;
    ensure!(
        with_panic_mode.near(&of_documents),
        "portable: {with_panic_mode:?}, documents: {of_documents:?}"
    );
    let shares = of(&lost_hosts.without_panic_mode()?)?;
    let panic_mode = of_documents
        .hosts
        .iter()
        .any(|(host, share)| *share > 0.0 && lost.contains(host));
    ensure!(panic_mode || shares.near(&of_documents), "{shares:?}");
    Ok(shares)
}

/// Counts the requests of a new client, once every host with a share has answered: until then, the
/// client has not connected to all of them.
fn counts(
    workdir: &Workdir,
    files: &MeshFiles,
    served: &ConvertedMesh,
    shares: &MeshShares,
) -> Result<MeshCounts> {
    let mut peer = GrpcPeer::start(workdir)?;
    peer.hosts_at(files.hosts())?;
    peer.serve(&served.resources(TARGET)?)?;
    let with_share = shares.hosts.iter().filter(|(_, share)| **share > 0.0);
    let mut missing: BTreeSet<&str> = with_share.map(|(host, _)| host.as_str()).collect();
    eventually("every host to answer", LIMIT, || {
        let called = peer.calls(BATCH)?;
        missing.retain(|host| !called.hosts.contains_key(*host));
        Ok(missing.is_empty().then_some(()))
    })?;
    // The client has taken the resources; it has not rejected any.
    peer.serve(&served.resources(TARGET)?)?;
    let called = peer.calls(REQUESTS)?;
    let unavailable = |error: &String| error.starts_with("UNAVAILABLE");
    ensure!(called.errors.keys().all(unavailable), "{:?}", called.errors);
    Ok(MeshCounts {
        hosts: called.hosts,
        no_host: called.errors.values().sum(),
    })
}
