//! Load-balancing policies and their settings.

use core::time::Duration;

use spillgate_core::model::{
    HashBalanceFactor, HashFunction, LeastRequestConfig, LocalityBasis, LocalityLb, MaglevConfig,
    Policy, RingHashConfig, SelectionMethod, SlowStart, ZoneAware,
};

use super::fields::{Wire, fields, variants};
use crate::bytes::{ByteReader, ByteWriter};

fields!(ZoneAware {
    routing_enabled,
    min_cluster_size,
    fail_traffic_on_panic,
    force_local_zone,
    locality_basis,
});
variants!(LocalityBasis {
    HealthyHostsNum,
    HealthyHostsWeight
});
variants!(HashFunction {
    XxHash,
    MurmurHash2
});

impl Wire for Policy {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::RoundRobin => to.byte(0),
            Self::LeastRequest(config) => {
                to.byte(1);
                let choices = match config.selection {
                    SelectionMethod::Choices(count) => Some(count),
                    SelectionMethod::FullScan => None,
                };
                choices.write(to);
                config.active_request_bias().write(to);
            }
            Self::ClientSideWeightedRoundRobin => to.byte(2),
            Self::Random => to.byte(3),
            Self::RingHash(config) => {
                to.byte(4);
                config.minimum_ring_size().write(to);
                config.maximum_ring_size().write(to);
                config.hash_function().write(to);
            }
            Self::Maglev(config) => {
                to.byte(5);
                u64::from(config.table_size()).write(to);
            }
            Self::Rendezvous => to.byte(6),
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::RoundRobin,
            1 => {
                let selection =
                    Option::read(from)?.map_or(SelectionMethod::FullScan, SelectionMethod::Choices);
                Self::LeastRequest(LeastRequestConfig::new(selection, Wire::read(from)?))
            }
            2 => Self::ClientSideWeightedRoundRobin,
            3 => Self::Random,
            4 => {
                let (minimum, maximum) = (Wire::read(from)?, Wire::read(from)?);
                Self::RingHash(RingHashConfig::new(minimum, maximum, Wire::read(from)?).ok()?)
            }
            5 => Self::Maglev(MaglevConfig::new(Wire::read(from)?).ok()?),
            6 => Self::Rendezvous,
            _ => return None,
        })
    }
}

impl Wire for LocalityLb {
    fn write(&self, to: &mut ByteWriter) {
        self.zone_aware().copied().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(Option::read(from)?.map_or(Self::Weighted, Self::ZoneAware))
    }
}

impl Wire for SlowStart {
    fn write(&self, to: &mut ByteWriter) {
        self.window().as_secs().write(to);
        self.window().subsec_nanos().write(to);
        self.aggression().write(to);
        self.min_weight_percent().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let (seconds, nanos) = (Duration::from_secs(Wire::read(from)?), Wire::read(from)?);
        let window = seconds.checked_add(Duration::from_nanos(nanos))?;
        Self::new(window, Wire::read(from)?, Wire::read(from)?)
    }
}

impl Wire for HashBalanceFactor {
    fn write(&self, to: &mut ByteWriter) {
        self.percent().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Self::new(Wire::read(from)?)
    }
}
