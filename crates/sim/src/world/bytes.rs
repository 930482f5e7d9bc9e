//! Plans as bytes.
//!
//! The page reads scenario files in one module and runs them in another, which contains no reader.
//! The bytes contain everything that a run depends on, except its seed.

use alloc::{boxed::Box, string::String, vec::Vec};

use spillgate_codec::{
    fields, variants,
    wire::{ByteReader, ByteWriter, Wire},
};
use spillgate_core::model::{Metadata, Model};

use super::{
    EventKind, KeyChange, Layout, Plan, Rates, ScriptedEvent, SessionRules, WorldEvent,
    WorldFallback, WorldScenario,
};

fields!(WorldScenario {
    layout,
    clients,
    gateways,
    view_delay,
    every,
    steps,
    rates,
    script,
    sessions
});
fields!(ScriptedEvent { at, event, name });
fields!(SessionRules {
    life,
    statuses,
    on_lost,
    fallback,
    request_hash,
    max_share
});
variants!(WorldFallback { Rendezvous, Policy });

impl Wire for Plan {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Fixed(scenario) => {
                to.byte(0);
                scenario.write(to);
            }
            Self::Random { steps, rates } => {
                to.byte(1);
                steps.write(to);
                rates.write(to);
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::Fixed(Box::new(Wire::read(from)?)),
            1 => Self::Random {
                steps: Wire::read(from)?,
                rates: Wire::read(from)?,
            },
            _ => return None,
        })
    }
}

impl Wire for Rates {
    fn write(&self, to: &mut ByteWriter) {
        for rate in self.0 {
            rate.write(to);
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let mut rates = Self::NONE;
        for kind in EventKind::ALL {
            rates = rates.with(kind, Wire::read(from)?);
        }
        Some(rates)
    }
}

/// The arguments of [`Layout::new`] and [`Layout::without`].
impl Wire for Layout {
    fn write(&self, to: &mut ByteWriter) {
        self.model.write(to);
        let name = |at: usize| self.clusters.get(at).map_or("", |cluster| &cluster.name);
        let targets = self.targets.iter();
        let targets: Vec<(String, u32)> = targets
            .map(|&(at, weight)| (name(at).into(), weight))
            .collect();
        targets.write(to);
        self.criteria.write(to);
        let hosts = self.hosts.iter().enumerate();
        let absent = hosts.filter(|(_, configured)| !configured.present);
        let absent: Vec<usize> = absent.map(|(host, _)| host).collect();
        absent.write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let model: Model = Wire::read(from)?;
        let targets: Vec<(String, u32)> = Wire::read(from)?;
        let criteria: Vec<Metadata> = Wire::read(from)?;
        let absent: Vec<usize> = Wire::read(from)?;
        let layout = Self::new(model, &targets, criteria).ok()?;
        Some(layout.without(&absent))
    }
}

impl Wire for WorldEvent {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Status(hosts, status) => tagged(0, &(hosts.clone(), *status), to),
            Self::Drain(hosts, within) => tagged(1, &(hosts.clone(), *within), to),
            Self::Vanish(hosts) => tagged(2, hosts, to),
            Self::Appear(hosts) => tagged(3, hosts, to),
            Self::Priority(hosts, priority) => tagged(4, &(hosts.clone(), *priority), to),
            Self::Metadata(hosts, metadata) => tagged(5, &(hosts.clone(), metadata.clone()), to),
            Self::Partial(gateway, hosts) => tagged(6, &(*gateway, hosts.clone()), to),
            Self::Keys(change) => tagged(7, change, to),
            Self::Reload(gateway) => tagged(8, gateway, to),
            Self::Restart(gateway) => tagged(9, gateway, to),
            Self::Epoch(gateway, epoch) => tagged(10, &(*gateway, *epoch), to),
            Self::Clock(gateway, offset) => tagged(11, &(*gateway, offset.cast_unsigned()), to),
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let tag = from.byte()?;
        if tag <= 5 {
            let hosts = Wire::read(from)?;
            return Some(match tag {
                0 => Self::Status(hosts, Wire::read(from)?),
                1 => Self::Drain(hosts, Wire::read(from)?),
                2 => Self::Vanish(hosts),
                3 => Self::Appear(hosts),
                4 => Self::Priority(hosts, Wire::read(from)?),
                _ => Self::Metadata(hosts, Wire::read(from)?),
            });
        }
        Some(match tag {
            6 => Self::Partial(Wire::read(from)?, Wire::read(from)?),
            7 => Self::Keys(Wire::read(from)?),
            8 => Self::Reload(Wire::read(from)?),
            9 => Self::Restart(Wire::read(from)?),
            10 => Self::Epoch(Wire::read(from)?, Wire::read(from)?),
            11 => Self::Clock(Wire::read(from)?, u64::read(from)?.cast_signed()),
            _ => return None,
        })
    }
}

fn tagged(tag: u8, value: &impl Wire, to: &mut ByteWriter) {
    to.byte(tag);
    value.write(to);
}

impl Wire for KeyChange {
    fn write(&self, to: &mut ByteWriter) {
        let (tag, id) = match *self {
            Self::Add(id) => (0, id),
            Self::Promote(id) => (1, id),
            Self::Drop(id) => (2, id),
            Self::Rotate => (3, 0),
        };
        to.byte(tag);
        to.byte(id);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let (tag, id) = (from.byte()?, from.byte()?);
        Some(match tag {
            0 => Self::Add(id),
            1 => Self::Promote(id),
            2 => Self::Drop(id),
            3 => Self::Rotate,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use spillgate_codec::wire::{from_bytes, to_bytes};
    use spillgate_core::model::{Cluster, Endpoint, HealthStatus, PlainCluster, Priority, Value};

    use super::*;

    fn same(plan: &Plan) {
        let bytes = to_bytes(plan);
        let read: Plan = from_bytes(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{plan:?}"));
        for end in 0..bytes.len() {
            assert!(from_bytes::<Plan>(&bytes[..end]).is_none(), "{end}");
        }
    }

    #[test]
    fn random_plans_survive_their_bytes() {
        same(&Plan::Random {
            steps: 7,
            rates: Rates::EVERYTHING,
        });
        for seed in 1..=200 {
            let plan = Plan::Random {
                steps: 40,
                rates: Rates::EVERYTHING,
            };
            let scenario = plan.scenario(seed).unwrap().into_owned();
            same(&Plan::Fixed(Box::new(scenario)));
        }
    }

    #[test]
    fn every_event_survives_its_bytes() {
        let hosts = || vec![0, 2];
        let metadata = Metadata::new([("stage", Value::Text("blue".into()))]);
        for event in [
            WorldEvent::Status(hosts(), HealthStatus::Draining),
            WorldEvent::Drain(hosts(), 60_000),
            WorldEvent::Vanish(hosts()),
            WorldEvent::Appear(hosts()),
            WorldEvent::Priority(hosts(), 3),
            WorldEvent::Metadata(hosts(), metadata),
            WorldEvent::Partial(1, hosts()),
            WorldEvent::Keys(KeyChange::Add(9)),
            WorldEvent::Keys(KeyChange::Promote(9)),
            WorldEvent::Keys(KeyChange::Drop(255)),
            WorldEvent::Keys(KeyChange::Rotate),
            WorldEvent::Reload(1),
            WorldEvent::Restart(0),
            WorldEvent::Epoch(None, 7),
            WorldEvent::Epoch(Some(1), u16::MAX),
            WorldEvent::Clock(Some(2), -3_600_000),
            WorldEvent::Clock(None, i64::MAX),
        ] {
            assert_eq!(from_bytes(&to_bytes(&event)), Some(event));
        }
    }

    #[test]
    fn absent_hosts_stay_absent() {
        let hosts = [0, 1, 2].map(|host| Endpoint::new(format!("10.0.0.{host}:80")));
        let shop = PlainCluster {
            priorities: vec![Priority::single_locality(hosts.into())],
            ..PlainCluster::default()
        };
        let model = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
        let layout = Layout::new(model, &[("shop".into(), 1)], Vec::new()).unwrap();
        let read: Layout = from_bytes(&to_bytes(&layout.without(&[1]))).unwrap();
        let present: Vec<bool> = read.hosts.iter().map(|host| host.present).collect();
        assert_eq!(present, [true, false, true]);
    }
}
