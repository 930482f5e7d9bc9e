//! Random policies, proxies and endpoints.

use std::collections::BTreeMap;

use spillgate_core::draw::{Draw as _, SplitMix64};

/// Random choices that depend on a seed alone.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.draw() % end as u64) as usize
    }

    /// True in `percent` of all cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn some(&mut self, from: &[&str], most: usize) -> Vec<String> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.pick(from).into()).collect()
    }

    fn labels(&mut self, percent: usize) -> BTreeMap<String, String> {
        let mut labels = BTreeMap::new();
        for key in KEYS {
            if self.chance(percent) {
                labels.insert(key.into(), self.pick(&VALUES).into());
            }
        }
        labels
    }
}

const ZONES: [&str; 5] = ["a", "b", "c", "d", "e"];
/// Istio's label of a network.
pub(crate) const NETWORK: &str = "topology.istio.io/network";
const KEYS: [&str; 4] = ["node", "rack", "az", NETWORK];
const VALUES: [&str; 3] = ["x", "y", "z"];
const REGIONS: [&str; 3] = ["eu", "us", "asia"];

#[derive(Debug)]
pub(crate) struct RandomRule {
    /// Empty without `from`.
    pub(crate) from: Vec<String>,
    pub(crate) kind: &'static str,
    pub(crate) zones: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct RandomEndpoint {
    pub(crate) zone: String,
    pub(crate) locality: String,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) weight: u32,
    pub(crate) healthy: bool,
}

/// A Kuma policy from the point of view of a proxy.
#[derive(Debug)]
pub(crate) struct KumaCase {
    pub(crate) zone: String,
    pub(crate) proxy_tags: BTreeMap<String, Vec<String>>,
    pub(crate) proxy_labels: BTreeMap<String, String>,
    pub(crate) egress: bool,
    pub(crate) present: bool,
    pub(crate) disabled: bool,
    pub(crate) local_zone: bool,
    pub(crate) cross_zone: bool,
    pub(crate) tags: Vec<(String, Option<u32>)>,
    pub(crate) rules: Vec<RandomRule>,
    /// In tenths of a percent, 1 to 1000.
    pub(crate) threshold_tenths: Option<u64>,
    pub(crate) endpoints: Vec<RandomEndpoint>,
}

impl KumaCase {
    pub(crate) fn new(random: &mut Random) -> Self {
        let weighted = random.chance(50);
        let tags = (0..random.below(5))
            .map(|_| {
                let weight = weighted.then(|| 1 + random.below(100) as u32);
                (random.pick(&KEYS).to_owned(), weight)
            })
            .collect();
        let mut proxy_tags: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in random.labels(50) {
            proxy_tags.entry(key).or_default().push(value);
        }
        for (key, value) in random.labels(20) {
            proxy_tags.entry(key).or_default().push(value);
        }
        let unhealthy = [0, 20, 60, 100][random.below(4)];
        Self {
            zone: random.pick(&ZONES).into(),
            proxy_tags,
            proxy_labels: random.labels(30),
            egress: random.chance(15),
            present: random.chance(95),
            disabled: random.chance(10),
            local_zone: random.chance(65),
            cross_zone: random.chance(75),
            tags,
            rules: (0..random.below(5))
                .map(|_| RandomRule::new(random))
                .collect(),
            threshold_tenths: random.chance(60).then(|| 1 + random.below(1000) as u64),
            endpoints: RandomEndpoint::list(random, unhealthy),
        }
    }
}

impl RandomRule {
    fn new(random: &mut Random) -> Self {
        let kind = ["Any", "Only", "Only", "AnyExcept", "None"][random.below(5)];
        Self {
            from: if random.chance(40) {
                random.some(&ZONES, 4)
            } else {
                Vec::new()
            },
            kind,
            zones: match kind {
                "Only" | "AnyExcept" => random.some(&ZONES, 3),
                _ => Vec::new(),
            },
        }
    }
}

impl RandomEndpoint {
    fn list(random: &mut Random, unhealthy: usize) -> Vec<Self> {
        let count = random.below(25);
        (0..count).map(|_| Self::new(random, unhealthy)).collect()
    }

    fn new(random: &mut Random, unhealthy: usize) -> Self {
        Self {
            zone: if random.chance(3) {
                String::new()
            } else {
                random.pick(&ZONES).into()
            },
            locality: random_locality(random),
            tags: random.labels(50),
            labels: random.labels(60),
            weight: 1 + random.below(4) as u32,
            healthy: !random.chance(unhealthy),
        }
    }
}

fn random_locality(random: &mut Random) -> String {
    let region = random.pick(&REGIONS);
    match random.below(10) {
        0 => String::new(),
        1 => region.into(),
        2..=5 => format!("{region}/{}", random.pick(&VALUES)),
        _ => format!("{region}/{}/{}", random.pick(&VALUES), random.pick(&VALUES)),
    }
}

/// The setting of a random case.
#[derive(Debug)]
pub(crate) enum RandomSetting {
    Off,
    /// `from`, and the shares by target.
    Distribute(Vec<(String, Vec<(String, u32)>)>),
    Rules {
        rules: Vec<(String, String)>,
        labels: Vec<String>,
    },
}

/// An Istio setting from the point of view of a proxy.
#[derive(Debug)]
pub(crate) struct IstioCase {
    pub(crate) locality: String,
    pub(crate) proxy_labels: BTreeMap<String, String>,
    pub(crate) setting: RandomSetting,
    /// With outlier detection.
    pub(crate) min_health_percent: Option<u64>,
    /// From `trafficDistribution`, which fails over without outlier detection.
    pub(crate) of_service: bool,
    /// Endpoints that are not ready are unhealthy hosts, so panic mode is off.
    pub(crate) sends_unready: bool,
    /// DNS resolves the names: `failoverPriority` has no effect before Istio 1.30, and on subsets.
    pub(crate) dns: bool,
    pub(crate) subset: bool,
    /// The minor version of Istio.
    pub(crate) version: u32,
    pub(crate) endpoints: Vec<RandomEndpoint>,
}

impl IstioCase {
    pub(crate) fn new(random: &mut Random) -> Self {
        let unhealthy = [0, 20, 60, 100][random.below(4)];
        let endpoints = RandomEndpoint::list(random, unhealthy);
        Self {
            locality: random_locality(random),
            proxy_labels: random.labels(50),
            setting: RandomSetting::new(random),
            min_health_percent: random
                .chance(70)
                .then(|| [0, 0, 30, 50, 100][random.below(5)]),
            of_service: random.chance(20),
            sends_unready: random.chance(20),
            dns: random.chance(30),
            subset: random.chance(30),
            version: 28 + random.below(4) as u32,
            endpoints,
        }
    }
}

impl RandomSetting {
    fn new(random: &mut Random) -> Self {
        match random.below(10) {
            0 => Self::Off,
            1..=3 => {
                let entries = (0..1 + random.below(3)).map(|_| {
                    let targets = 1 + random.below(4);
                    let to = (0..targets)
                        .map(|_| {
                            let share = 1 + random.below(100) as u32;
                            (random_rule(random), share)
                        })
                        .collect();
                    (random_rule(random), to)
                });
                Self::Distribute(entries.collect())
            }
            _ => {
                let rules = (0..random.below(3))
                    .map(|_| {
                        let mut region = || random.pick(&REGIONS).to_owned();
                        (region(), region())
                    })
                    .collect();
                let labels = (0..random.below(4)).map(|_| {
                    if random.chance(20) {
                        format!("{}={}", random.pick(&KEYS), random.pick(&VALUES))
                    } else {
                        random.pick(&KEYS).to_owned()
                    }
                });
                Self::Rules {
                    rules,
                    labels: labels.collect(),
                }
            }
        }
    }
}

/// A locality with or without a wildcard.
fn random_rule(random: &mut Random) -> String {
    let region = random.pick(&REGIONS);
    match random.below(6) {
        0 => "*".into(),
        1 => region.into(),
        2 => format!("{region}/*"),
        3 => format!("{region}/{}", random.pick(&VALUES)),
        4 => format!("{region}/{}/*", random.pick(&VALUES)),
        _ => format!("{region}/{}/{}", random.pick(&VALUES), random.pick(&VALUES)),
    }
}
