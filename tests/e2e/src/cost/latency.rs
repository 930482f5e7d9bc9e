//! How long a request takes with each filter, and how many requests a second one Envoy serves.

use std::io::{BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use spillgate_config::filter::FilterForm;
use spillgate_core::draw::SplitMix64;
use spillgate_testkit::{connect, read};

use super::modules::ModuleTask;
use super::run::{begun_sessions, shuffled};
use super::sample::Driver;
use super::summary::median;
use super::variants::{Clusters, Variant, bootstrap, requests};
use crate::{Envoy, Port, Upstream, Workdir};

/// Requests to each listener before anything counts.
const WARM_UP: usize = 2_000;
/// Connections at a fixed rate, and at the highest one.
const CONNECTIONS: usize = 8;
/// The compared variants.
const COMPARED: [Variant; 8] = [
    Variant::Nothing,
    Variant::Subset,
    Variant::Native,
    Variant::Module(ModuleTask::Criteria),
    Variant::Module(ModuleTask::Session),
    Variant::Lua,
    Variant::Ours,
    Variant::Sessions,
];

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct LatencySettings {
    /// Figures of each variant, of which the median counts.
    pub rounds: usize,
    /// How long each of them takes.
    pub time: Duration,
    /// Requests a second of the latencies.
    pub rate: u32,
}

impl Default for LatencySettings {
    fn default() -> Self {
        Self {
            rounds: 5,
            time: Duration::from_secs(6),
            rate: 1_000,
        }
    }
}

/// The figures of a variant, medians of all rounds.
#[derive(Debug, Clone)]
pub struct FilterLatency {
    /// The name of the variant.
    pub name: &'static str,
    /// Microseconds that 50, 99 and 99.9 % of the requests take at most, at the fixed rate.
    pub latency: [f64; 3],
    /// Requests a second over connections that always have an active request.
    pub most: f64,
}

/// Measures all variants.
///
/// # Errors
/// When Envoy does not start, or a request is not answered with 200.
pub fn latency(settings: &LatencySettings) -> Result<Vec<FilterLatency>> {
    let workdir = Workdir::in_form("filter_latency", FilterForm::DynamicModule)?;
    let hosts = Port::lease()?;
    let clusters = Clusters::new(hosts.number())?;
    let _serving = clusters
        .hosts()
        .map(|host| Upstream::open(&host))
        .collect::<Result<Vec<_>>>()?;
    let listeners = COMPARED
        .into_iter()
        .map(|variant| Ok((variant, Port::lease()?)))
        .collect::<Result<Vec<_>>>()?;
    let _envoy = Envoy::start(&workdir, &bootstrap(&workdir, &clusters, &listeners)?)?;
    let requests = requests(&clusters, &begun_sessions(&listeners)?);
    for (variant, port) in &listeners {
        Driver::connect(port.local())?
            .drive(&requests, WARM_UP)
            .with_context(|| variant.name())?;
    }
    let mut samples = vec![Vec::new(); listeners.len()];
    let mut draw = SplitMix64::new(1);
    for _ in 0..settings.rounds {
        for place in shuffled(listeners.len(), &mut draw) {
            let to = listeners[place].1.local();
            let paced = drive(to, &requests, settings, Pace::Fixed(settings.rate))?;
            let most = drive(to, &requests, settings, Pace::Most)?;
            let rate = most.len() as f64 / settings.time.as_secs_f64();
            samples[place].push((percentiles(paced)?, rate));
        }
    }
    let rows = listeners.iter().zip(samples);
    Ok(rows
        .map(|((variant, _), samples)| FilterLatency {
            name: variant.name(),
            latency: [0, 1, 2].map(|at| middle(samples.iter().map(|(latency, _)| latency[at]))),
            most: middle(samples.iter().map(|(_, rate)| *rate)),
        })
        .collect())
}

fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    median(&values)
}

/// When requests are sent.
#[derive(Clone, Copy)]
enum Pace {
    /// That many a second, over all connections.
    Fixed(u32),
    /// Each after the answer to the one before.
    Most,
}

/// The latencies of the requests. A request that waits for the one before it on its connection is
/// late from the time at which it was due.
fn drive(
    to: SocketAddr,
    requests: &[Vec<u8>],
    settings: &LatencySettings,
    pace: Pace,
) -> Result<Vec<Duration>> {
    thread::scope(|scope| {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|number| scope.spawn(move || one(to, requests, settings.time, pace, number)))
            .collect();
        let mut all = Vec::new();
        for connection in connections {
            all.extend(
                connection
                    .join()
                    .map_err(|_| anyhow!("a connection panicked"))??,
            );
        }
        Ok(all)
    })
}

fn one(
    to: SocketAddr,
    requests: &[Vec<u8>],
    time: Duration,
    pace: Pace,
    number: usize,
) -> Result<Vec<Duration>> {
    let mut connection: BufReader<TcpStream> = BufReader::new(connect(to)?);
    let mut latencies = Vec::new();
    let begun = Instant::now();
    let mut next = requests
        .iter()
        .cycle()
        .skip(number * requests.len() / CONNECTIONS);
    while begun.elapsed() < time {
        let due = match pace {
            Pace::Most => Instant::now(),
            Pace::Fixed(rate) => {
                let between = Duration::from_secs(1) * CONNECTIONS as u32 / rate;
                let due = begun + between * latencies.len() as u32;
                thread::sleep(due.saturating_duration_since(Instant::now()));
                due
            }
        };
        let request = next.next().context("no requests")?;
        connection.get_mut().write_all(request)?;
        let response = read(&mut connection)?;
        ensure!(
            response.status == 200,
            "{} {}",
            response.status,
            response.text()
        );
        latencies.push(due.elapsed());
    }
    Ok(latencies)
}

/// Microseconds that 50, 99 and 99.9 % of the requests take at most.
fn percentiles(mut latencies: Vec<Duration>) -> Result<[f64; 3]> {
    latencies.sort_unstable();
    let last = latencies.len().checked_sub(1).context("no requests")?;
    Ok([0.5, 0.99, 0.999].map(|part| {
        let place = (last as f64 * part).round() as usize;
        latencies[place].as_secs_f64() * 1e6
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_sorted_samples() -> Result<()> {
        let samples = (0..=1_000).rev().map(Duration::from_micros).collect();
        let found = percentiles(samples)?.map(f64::round);
        ensure!(found == [500.0, 990.0, 999.0], "{found:?}");
        Ok(())
    }
}
