//! Clusters, priorities and hosts.

use alloc::vec::Vec;

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, CompositeCluster, DropOverload, Endpoint, Health,
    HealthFlags, HealthStatus, Locality, OriginalDstCluster, OverprovisioningFactor,
    OverrideStatuses, PanicThreshold, PlainCluster, Priority, PriorityLocality, Weight,
};

use super::fields::{Wire, fields, variants};
use crate::bytes::{ByteReader, ByteWriter};

fields!(Cluster { name, kind });
fields!(AggregateCluster {
    members,
    panic_threshold,
    flatten
});
fields!(CompositeCluster { members, skips });
fields!(OriginalDstCluster {
    http_header,
    upstream_port
});
fields!(Priority {
    localities,
    endpoints
});
fields!(PriorityLocality { locality, weight });
fields!(Locality {
    region,
    zone,
    sub_zone
});
fields!(Endpoint {
    address,
    weight,
    health,
    locality,
    hash_key,
    metadata,
    reported_weight
});
fields!(Health { status, flags });
impl Wire for HealthFlags {
    fn write(&self, to: &mut ByteWriter) {
        to.byte(self.bits());
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self::from_bits(from.byte()?))
    }
}
variants!(HealthStatus {
    Unknown,
    Healthy,
    Unhealthy,
    Draining,
    Timeout,
    Degraded
});

impl Wire for ClusterKind {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Plain(plain) => {
                to.byte(0);
                plain.write(to);
            }
            Self::Aggregate(aggregate) => {
                to.byte(1);
                aggregate.write(to);
            }
            Self::OriginalDst(original) => {
                to.byte(2);
                original.write(to);
            }
            Self::Composite(composite) => {
                to.byte(3);
                composite.write(to);
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::Plain(Wire::read(from)?),
            1 => Self::Aggregate(Wire::read(from)?),
            2 => Self::OriginalDst(Wire::read(from)?),
            3 => Self::Composite(Wire::read(from)?),
            _ => return None,
        })
    }
}

/// All fields except those for requests: hash policies and override hosts.
impl Wire for PlainCluster {
    fn write(&self, to: &mut ByteWriter) {
        let Self {
            policy,
            panic_threshold,
            overprovisioning_factor,
            weighted_priority_health,
            locality_lb,
            slow_start,
            healthy_for: _,
            hash_balance_factor,
            hash_policies: _,
            override_hosts: _,
            override_statuses: _,
            drop_overload,
            subsets,
            priorities,
        } = self;
        policy.write(to);
        panic_threshold.write(to);
        overprovisioning_factor.write(to);
        weighted_priority_health.write(to);
        locality_lb.write(to);
        slow_start.write(to);
        hash_balance_factor.write(to);
        drop_overload.write(to);
        subsets.write(to);
        priorities.write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            policy: Wire::read(from)?,
            panic_threshold: Wire::read(from)?,
            overprovisioning_factor: Wire::read(from)?,
            weighted_priority_health: Wire::read(from)?,
            locality_lb: Wire::read(from)?,
            slow_start: Wire::read(from)?,
            healthy_for: Vec::new(),
            hash_balance_factor: Wire::read(from)?,
            hash_policies: Vec::new(),
            override_hosts: Vec::new(),
            override_statuses: OverrideStatuses::DEFAULT,
            drop_overload: Wire::read(from)?,
            subsets: Wire::read(from)?,
            priorities: Wire::read(from)?,
        })
    }
}

impl Wire for PanicThreshold {
    fn write(&self, to: &mut ByteWriter) {
        self.percent().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self::from_percent(u32::read(from)?.into()))
    }
}

impl Wire for OverprovisioningFactor {
    fn write(&self, to: &mut ByteWriter) {
        self.0.write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Wire::read(from).map(Self)
    }
}

impl Wire for DropOverload {
    fn write(&self, to: &mut ByteWriter) {
        self.millionths().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Wire::read(from).map(Self::from_millionths)
    }
}

impl Wire for Weight {
    fn write(&self, to: &mut ByteWriter) {
        self.get().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Self::new(Wire::read(from)?)
    }
}
