//! The loads of hosts over all callers of a fleet, with zone-aware routing and after the loss of a zone, in real Envoys.

use anyhow::{Result, ensure};
use spillgate_e2e::fleet::{CountedLoad, FAMILY_WISE, RandomFleet, ServedFleet, is_inside, serve};
use spillgate_e2e::{Port, Workdir, amount, figure};

/// The seed of all fleets.
const SEED: u64 = 39;

#[test]
fn zones_and_hosts_get_the_predicted_loads() -> Result<()> {
    let (fleets, most) = amount((4, 6), (200, 30));
    let requests = amount(300, 500);
    let workdir = Workdir::new("fleet")?;
    let mut served: Vec<ServedFleet> = Vec::new();
    let (mut callers, mut lost) = (0, 0);
    for number in 0..fleets {
        let port = Port::lease()?;
        let fleet = RandomFleet::new(SEED, number, most, port.number());
        callers += fleet.callers.len();
        lost += usize::from(fleet.lost.is_some());
        let name = format!("fleet {number}");
        served.push(serve(&workdir, &name, &fleet, requests)?);
    }
    let loads: Vec<&CountedLoad> = served.iter().flat_map(|of| &of.loads).collect();
    let outside: Vec<String> = loads
        .iter()
        .filter(|load| !is_inside(load, loads.len()))
        .map(|load| format!("{load:?}"))
        .collect();
    ensure!(outside.is_empty(), "seed {SEED}: {}", outside.join("\n"));
    // The bands are narrow enough to notice that the local cluster is ignored.
    let refutes = |load: &CountedLoad| !is_inside(load, loads.len());
    let refuted = served
        .iter()
        .filter(|of| of.without_local_cluster.iter().any(refutes));
    let refuted = refuted.count();
    ensure!(
        refuted as u64 * 4 >= fleets,
        "only {refuted} of {fleets} fleets need a local cluster"
    );
    let lowest = loads.iter().map(|load| load.tail()).fold(1.0, f64::min);
    figure(format_args!(
        "seed {SEED}: {fleets} fleets of {callers} Envoys, {lost} without a zone, {} requests, {} counts inside their \
         {} % band; lowest bound times counts {:.2}; {refuted} fleets refute loads without zone-aware routing",
        callers as u64 * requests,
        loads.len(),
        100.0 * (1.0 - FAMILY_WISE),
        lowest * 2.0 * loads.len() as f64,
    ));
    Ok(())
}
