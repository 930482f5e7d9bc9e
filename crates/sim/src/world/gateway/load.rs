//! How a gateway's requests are spread over hosts: counted by the simulation, apart from the
//! gateway's own counts.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

/// The requests of a gateway, by period.
#[derive(Debug, Default)]
pub(crate) struct GatewayLoad {
    /// The current period, then earlier ones without a gap, newest first.
    periods: Vec<Period>,
    /// When the gateway last learned of a change of hosts, by its clock in milliseconds.
    changed: u64,
}

/// The requests of a period of five seconds.
#[derive(Debug, Default)]
pub(crate) struct Period {
    number: u64,
    all: u64,
    by_host: BTreeMap<usize, HostLoad>,
}

/// The requests of a host in a period.
#[derive(Debug, Default)]
struct HostLoad {
    requests: u64,
    clients: BTreeSet<usize>,
    /// The clients whose session left because of the load.
    left: BTreeSet<usize>,
}

/// The length of a period by the gateway's clock: milliseconds.
const PERIOD: u64 = 5_000;
/// The number of periods that are kept, with the current one.
const KEPT: usize = 6;

impl GatewayLoad {
    /// Counts a request of a client to a host, at a time of the gateway's clock in milliseconds.
    pub(super) fn count(&mut self, clock: u64, client: usize, host: usize) {
        let number = clock / PERIOD;
        match self.periods.first().map(|period| period.number) {
            Some(current) if current == number => {}
            Some(current) if current + 1 == number => self.begin(number),
            _ => {
                // A pause of a whole period: a gap would count as a period without requests.
                self.periods.clear();
                self.begin(number);
            }
        }
        if let Some(period) = self.periods.first_mut() {
            period.all += 1;
            let load = period.by_host.entry(host).or_default();
            load.requests += 1;
            load.clients.insert(client);
        }
    }

    fn begin(&mut self, number: u64) {
        let period = Period {
            number,
            ..Period::default()
        };
        self.periods.insert(0, period);
        self.periods.truncate(KEPT);
    }

    /// Records that the load made the session of a client leave a host.
    pub(crate) fn left(&mut self, client: usize, host: usize) {
        if let Some(period) = self.periods.first_mut() {
            period.by_host.entry(host).or_default().left.insert(client);
        }
    }

    /// Records a change of hosts, at a time of the gateway's clock in milliseconds.
    pub(super) fn changed(&mut self, clock: u64) {
        self.changed = clock;
    }

    /// The last complete periods, newest first, if there are this many and no host changed since
    /// the first of them began.
    pub(crate) fn steady(&self, periods: usize) -> Option<&[Period]> {
        let steady = self.complete().get(..periods)?;
        let first = steady.last()?;
        (self.changed <= first.number * PERIOD).then_some(steady)
    }

    /// Forgets all requests.
    pub(super) fn clear(&mut self) {
        self.periods.clear();
    }

    /// The current period.
    pub(crate) fn present(&self) -> Option<&Period> {
        self.periods.first()
    }

    /// The complete periods, newest first.
    pub(crate) fn complete(&self) -> &[Period] {
        self.periods.get(1..).unwrap_or_default()
    }

    /// The number of clients with requests to a host in the current or the last period.
    pub(crate) fn clients(&self, host: usize) -> usize {
        let periods = self.periods.iter().take(2);
        let clients = periods.filter_map(|period| period.by_host.get(&host));
        let clients: BTreeSet<usize> = clients
            .flat_map(|load| load.clients.iter().copied())
            .collect();
        clients.len()
    }
}

impl Period {
    /// All requests.
    pub(crate) const fn all(&self) -> u64 {
        self.all
    }

    /// The requests to a host.
    pub(crate) fn requests(&self, host: usize) -> u64 {
        self.by_host.get(&host).map_or(0, |load| load.requests)
    }

    /// Whether a host had more than `percent` of all requests.
    pub(crate) fn is_above(&self, host: usize, percent: u32) -> bool {
        self.requests(host) * 100 > self.all * u64::from(percent)
    }

    /// The number of clients whose session left a host because of the load.
    pub(crate) fn left(&self, host: usize) -> usize {
        self.by_host.get(&host).map_or(0, |load| load.left.len())
    }
}
