//! The loads of hosts over all callers of a fleet, with zone-aware routing, in real Envoys.

use anyhow::{Result, ensure};
use spillgate_e2e::fleet::{CountedLoad, FAMILY_WISE, RandomFleet, is_inside, serve};
use spillgate_e2e::{Port, Workdir, amount, figure};

/// The seed of all fleets.
const SEED: u64 = 39;

#[test]
fn zones_and_hosts_get_the_predicted_loads() -> Result<()> {
    let (fleets, most) = amount((4, 6), (200, 30));
    let requests = amount(300, 500);
    let workdir = Workdir::new("fleet")?;
    let mut loads: Vec<CountedLoad> = Vec::new();
    let mut callers = 0;
    for number in 0..fleets {
        let port = Port::lease()?;
        let fleet = RandomFleet::new(SEED, number, most, port.number());
        callers += fleet.callers.len();
        loads.extend(serve(
            &workdir,
            &format!("fleet {number}"),
            &fleet,
            requests,
        )?);
    }
    let outside: Vec<String> = loads
        .iter()
        .filter(|load| !is_inside(load, loads.len()))
        .map(|load| format!("{load:?}"))
        .collect();
    ensure!(outside.is_empty(), "seed {SEED}: {}", outside.join("\n"));
    let lowest = loads.iter().map(CountedLoad::tail).fold(1.0, f64::min);
    figure(format_args!(
        "seed {SEED}: {fleets} fleets of {callers} Envoys, {} requests, {} counts inside their {} % band; \
         lowest bound times counts {:.2}",
        callers as u64 * requests,
        loads.len(),
        100.0 * (1.0 - FAMILY_WISE),
        lowest * 2.0 * loads.len() as f64,
    ));
    Ok(())
}
