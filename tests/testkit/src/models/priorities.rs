//! Priorities, localities and hosts.

use spillgate_core::model::{
    Endpoint, Health, HealthStatus, Locality, Metadata, Priority, PriorityLocality, Value, Weight,
};

use super::{Dice, Extent};

const ZONES: [&str; 3] = ["a", "b", "c"];

/// How a cluster finds its hosts, and whether hash policies hash their names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finding {
    /// DNS looks the addresses up.
    pub(super) dns: bool,
    /// Hash policies hash host names.
    pub(super) hash_hostname: bool,
}

impl Dice {
    /// Priorities, of which only inner ones may be without a locality.
    pub(super) fn priorities(
        &mut self,
        most: usize,
        finding: Finding,
        extent: Extent,
    ) -> Vec<Priority> {
        let count = self.below(most + 1);
        (0..count)
            .map(|number| {
                let inner = number + 1 < count;
                if inner && self.chance(10) {
                    Priority::default()
                } else {
                    self.priority(finding, extent)
                }
            })
            .collect()
    }

    fn priority(&mut self, finding: Finding, extent: Extent) -> Priority {
        let mut localities: Vec<PriorityLocality> = Vec::new();
        for _ in 0..self.between(1, extent.size.clamp(1, 3)) {
            let locality = self.locality(extent);
            if localities.iter().all(|known| known.locality != locality) {
                let weight = self.chance(50).then(|| self.weight(extent));
                // No configuration has a weight of 0; a model may.
                let nothing = extent.few && self.chance(20);
                let weight = if nothing { Some(0) } else { weight };
                localities.push(PriorityLocality { locality, weight });
            }
        }
        let endpoints = (0..self.below(extent.size * 2 + 1))
            .map(|_| {
                let locality = self.below(localities.len());
                self.endpoint(locality, finding, extent)
            })
            .collect();
        Priority {
            localities,
            endpoints,
        }
    }

    /// A locality; any part may be empty.
    pub(super) fn locality(&mut self, extent: Extent) -> Locality {
        if extent.few {
            return Locality {
                zone: self.one(&ZONES).into(),
                ..Locality::default()
            };
        }
        let mut part = |percent| {
            let there = self.chance(percent);
            let text = self.text(extent);
            if there { text } else { String::new() }
        };
        Locality {
            region: part(50),
            zone: part(70),
            sub_zone: part(20),
        }
    }

    fn endpoint(&mut self, locality: usize, finding: Finding, extent: Extent) -> Endpoint {
        let address = self.address(finding, extent);
        let mut metadata = self.metadata(extent);
        if self.chance(15) {
            let key = Value::Text(self.text(extent).into());
            metadata = metadata.overridden(&Metadata::new([("hash_key", key)]));
        }
        let given = match metadata.get("hash_key") {
            Some(Value::Text(text)) if !text.is_empty() => Some(String::from(&**text)),
            _ => None,
        };
        let hostname = (finding.hash_hostname && self.chance(50))
            .then(|| self.text(extent))
            .filter(|name| !name.is_empty());
        let looked_up = (finding.hash_hostname && finding.dns)
            .then(|| address.rsplit_once(':').map(|(host, _)| host))
            .flatten()
            .map(|host| host.trim_matches(['[', ']']).to_owned());
        Endpoint {
            // A host without a name has an empty one.
            hash_key: given
                .or(hostname)
                .or(looked_up)
                .or_else(|| finding.hash_hostname.then(String::new)),
            address,
            weight: self
                .chance(50)
                .then(|| Weight::new(self.weight(extent)))
                .flatten()
                .unwrap_or_default(),
            health: Health::from_status(self.one(&HealthStatus::ALL)),
            locality,
            metadata,
            reported_weight: (extent.few && self.chance(50)).then(|| self.below(5) as u32),
        }
    }

    fn address(&mut self, finding: Finding, extent: Extent) -> String {
        let port = self.one(&[80, 8080, 1, 65_535]);
        let byte = self.between(1, 255);
        match self.below(8) {
            0..=2 if finding.dns => format!("host-{byte}.shop.local:{port}"),
            3 => format!("[2001:db8::{byte:x}]:{port}"),
            4 if extent.any_address && !finding.dns => format!("/run/shop/{byte}.sock"),
            5 if extent.any_address && !finding.dns => format!("envoy://inner/{byte}"),
            _ => format!("10.0.{}.{byte}:{port}", self.below(4)),
        }
    }
}
