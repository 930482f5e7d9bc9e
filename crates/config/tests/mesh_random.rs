//! Random documents of Kuma: what proxies reach, compared with a second implementation.

use std::{collections::BTreeMap, fmt::Write as _};

use spillgate_config::{
    envoy::Format,
    mesh::{KumaInputs, PointOfView, read},
};
use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_testkit::{amount, figure};

const ZONES: [&str; 4] = ["z1", "z2", "z3", "z4"];
const SERVICES: [&str; 3] = ["web", "shop", "cart"];
const MODES: [&str; 4] = ["Disabled", "Everywhere", "ReachableBackends", "Exclusive"];

/// Random choices that depend on a seed alone.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        (self.0.draw() % end as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The number of instances of services.
type Instances = Vec<(&'static str, u32)>;

/// A mesh with proxies and zone proxies.
#[derive(Debug)]
struct Case {
    /// Whether there is a Mesh; without one, mTLS and no egress are assumed.
    mesh: bool,
    mtls: bool,
    egress: bool,
    mode: &'static str,
    identity: bool,
    /// Zone, service, whether it is ready.
    proxies: Vec<(&'static str, &'static str, bool)>,
    /// Zone, number of the address, instances by service.
    ingresses: Vec<(&'static str, usize, Instances)>,
    egresses: Vec<&'static str>,
    /// Zone, service, whether it is available. At most one of each.
    services: Vec<(&'static str, &'static str, bool)>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let random = &mut Random(SplitMix64::new(seed));
        let zone = |random: &mut Random| ZONES[random.below(ZONES.len())];
        let service = |random: &mut Random| SERVICES[random.below(SERVICES.len())];
        let mesh = random.chance(85);
        let mtls = !mesh || random.chance(60);
        let egress = mesh && random.chance(40);
        let mode = MODES[random.below(if mesh { MODES.len() } else { 1 })];
        let identity = random.chance(20);
        let proxies = (0..random.below(9))
            .map(|_| (zone(random), service(random), random.chance(85)))
            .collect();
        let ingresses = (0..random.below(5))
            .map(|_| {
                let services = (0..random.below(3))
                    .map(|_| (service(random), random.below(4) as u32))
                    .collect();
                (zone(random), random.below(4), services)
            })
            .collect();
        let egresses = (0..random.below(4)).map(|_| zone(random)).collect();
        let mut services: Vec<(&str, &str, bool)> = Vec::new();
        for _ in 0..random.below(6) {
            let (zone, name) = (zone(random), service(random));
            if !services.iter().any(|of| (of.0, of.1) == (zone, name)) {
                services.push((zone, name, random.chance(80)));
            }
        }
        Self {
            mesh,
            mtls,
            egress,
            mode,
            identity,
            proxies,
            ingresses,
            egresses,
            services,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if self.mesh {
            let backend = if self.mtls { "ca" } else { "" };
            writeln!(text, "---\n{{type: Mesh, name: default, mtls: {{enabledBackend: '{backend}'}}, routing: {{zoneEgress: {}}}, meshServices: {{mode: {}}}}}", self.egress, self.mode).unwrap();
        }
        if self.identity {
            writeln!(text, "---\n{{type: MeshIdentity, name: i, mesh: default}}").unwrap();
        }
        for (at, (zone, service, ready)) in self.proxies.iter().enumerate() {
            let state = if *ready { "Ready" } else { "NotReady" };
            writeln!(text, "---\n{{type: Dataplane, name: d{at}, mesh: default, networking: {{address: 10.0.0.{at}, inbound: [{{port: 80, state: {state}, tags: {{kuma.io/service: {service}, kuma.io/zone: {zone}}}}}]}}}}").unwrap();
        }
        for (at, (zone, address, services)) in self.ingresses.iter().enumerate() {
            let services = services.iter().map(|(name, count)| format!("{{mesh: default, instances: {count}, tags: {{kuma.io/service: {name}, kuma.io/zone: {zone}}}}}")).collect::<Vec<_>>().join(", ");
            writeln!(text, "---\n{{type: ZoneIngress, name: i{at}, zone: {zone}, networking: {{advertisedAddress: 192.0.2.{address}, advertisedPort: 10001}}, availableServices: [{services}]}}").unwrap();
        }
        for (at, zone) in self.egresses.iter().enumerate() {
            writeln!(text, "---\n{{type: ZoneEgress, name: e{at}, zone: {zone}, networking: {{address: 198.51.100.{at}, port: 10002}}}}").unwrap();
        }
        for (zone, name, available) in &self.services {
            let state = if *available {
                "Available"
            } else {
                "Unavailable"
            };
            writeln!(text, "---\n{{type: MeshService, name: {name}-{zone}, mesh: default, labels: {{kuma.io/zone: {zone}, kuma.io/display-name: {name}}}, spec: {{state: {state}, selector: {{dataplaneTags: {{kuma.io/service: {name}}}}}, ports: [{{port: 80}}]}}}}").unwrap();
        }
        for name in SERVICES {
            writeln!(text, "---\n{{type: MeshMultiZoneService, name: {name}-all, mesh: default, spec: {{selector: {{meshService: {{matchLabels: {{kuma.io/display-name: {name}}}}}}}, ports: [{{port: 80}}]}}}}").unwrap();
        }
        text
    }

    /// The endpoints of each cluster from a zone, as `address zone weight`, sorted.
    fn reached(&self, from: &str) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let has_egress = self.egresses.contains(&from);
        let behind = |zone: &str| self.ingresses.iter().any(|of| of.0 == zone);
        // Each address of an ingress with services counts once.
        let mut addresses: Vec<usize> = Vec::new();
        let mut first = Vec::new();
        for ingress in &self.ingresses {
            let (zone, address, services) = ingress;
            if *zone != from && !services.is_empty() && !addresses.contains(address) {
                addresses.push(*address);
                first.push(ingress);
            }
        }
        let weight = if self.mtls { addresses.len().max(1) } else { 1 };
        if self.mode != "Exclusive" {
            for (zone, address, services) in first {
                for (name, count) in services {
                    let endpoints = found.entry((*name).to_owned()).or_default();
                    if !self.mtls || (self.egress && !has_egress) {
                        continue;
                    }
                    if self.egress {
                        let own = self.egresses.iter().enumerate();
                        for (at, _) in own.filter(|(_, of)| **of == from) {
                            endpoints.push(format!("198.51.100.{at}:10002 {zone} 1"));
                        }
                    } else {
                        // Without a weight, Envoy uses 1.
                        let count = (*count).max(1);
                        endpoints.push(format!("192.0.2.{address}:10001 {zone} {count}"));
                    }
                }
            }
            for (at, (zone, name, ready)) in self.proxies.iter().enumerate() {
                if !ready || (*zone != from && behind(zone)) {
                    continue;
                }
                let endpoints = found.entry((*name).to_owned()).or_default();
                let open = self.mtls && (!self.egress || has_egress);
                if *zone == from || open {
                    endpoints.push(format!("10.0.0.{at}:80 {zone} {weight}"));
                }
            }
        }
        for (zone, name, _) in &self.services {
            let cluster = format!("default_{name}__{zone}_msvc_80");
            found.insert(cluster, self.of_service(from, zone, name));
        }
        for name in SERVICES {
            let members = self
                .services
                .iter()
                .filter(|of| of.1 == name)
                .filter(|of| of.0 == from || of.2);
            let all = members.flat_map(|of| self.of_service(from, of.0, name));
            found.insert(format!("default_{name}-all___mzsvc_80"), all.collect());
        }
        found.values_mut().for_each(|of| of.sort());
        found
    }

    fn of_service(&self, from: &str, zone: &str, name: &str) -> Vec<String> {
        let ingresses: Vec<_> = self.ingresses.iter().filter(|of| of.0 == zone).collect();
        if zone != from && !(self.mtls || self.identity) {
            return Vec::new();
        }
        if zone != from && !ingresses.is_empty() {
            let mut addresses: Vec<usize> = ingresses.iter().map(|of| of.1).collect();
            addresses.sort_unstable();
            addresses.dedup();
            let text = |address| format!("192.0.2.{address}:10001 {zone} 1");
            return addresses.into_iter().map(text).collect();
        }
        let proxies = self.proxies.iter().enumerate();
        proxies
            .filter(|(_, of)| **of == (zone_of(zone), service_of(name), true))
            .map(|(at, _)| format!("10.0.0.{at}:80 {zone} 1"))
            .collect()
    }
}

fn zone_of(name: &str) -> &'static str {
    ZONES.into_iter().find(|of| *of == name).unwrap()
}

fn service_of(name: &str) -> &'static str {
    SERVICES.into_iter().find(|of| *of == name).unwrap()
}

#[test]
fn what_kuma_reaches_is_that_of_the_second_implementation() {
    let count = amount(200, 10_000);
    let mut unreached = 0;
    for seed in 0..count {
        let case = Case::new(seed);
        let text = case.text();
        let documents = read(&text, Format::Yaml, 0).unwrap();
        for zone in ZONES {
            let inputs = KumaInputs::new(&documents, &PointOfView::Zone(zone.into())).unwrap();
            let found = inputs.destinations.iter().map(|destination| {
                let endpoints = destination
                    .endpoints
                    .iter()
                    .map(|of| format!("{} {} {}", of.host.address, of.zone, of.host.weight.get()));
                let mut endpoints: Vec<String> = endpoints.collect();
                endpoints.sort();
                (destination.cluster.clone(), endpoints)
            });
            let found: BTreeMap<String, Vec<String>> = found.collect();
            assert_eq!(found, case.reached(zone), "seed {seed}, {zone}:\n{text}");
            let blocked = ["mesh/no-mtls", "mesh/no-egress"];
            let warned = |of: &&str| blocked.contains(of);
            let codes = inputs.warnings.iter().map(|of| of.code);
            unreached += u64::from(codes.collect::<Vec<_>>().iter().any(warned));
        }
    }
    figure(format_args!(
        "{count} meshes of Kuma from {} zones each, {unreached} views without other zones",
        ZONES.len()
    ));
}
