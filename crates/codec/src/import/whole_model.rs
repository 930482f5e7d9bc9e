//! A model with all its settings, for modules that decide requests.

use alloc::vec::Vec;

use spillgate_core::model::{
    ChainHosts, ChainStep, Cluster, ClusterKind, FallbackChain, LocalInfo, Model, PlainCluster,
};

use super::fields::{Wire, fields};
use crate::bytes::{ByteReader, ByteWriter};

fields!(LocalInfo { locality, cluster });
fields!(ChainStep {
    hosts,
    min_healthy_hosts,
    min_healthy_percent,
    panic_threshold,
    last_resort,
    retry_next_step
});

/// The clusters, then what the bytes of a cluster omit: its settings for requests.
impl Wire for Model {
    fn write(&self, to: &mut ByteWriter) {
        to.count(self.clusters().len());
        for cluster in self.clusters() {
            cluster.write(to);
            if let ClusterKind::Plain(plain) = &cluster.kind {
                plain.hash_policies.write(to);
                plain.override_hosts.write(to);
                plain.override_statuses.write(to);
            }
        }
        self.local().write(to);
        self.chain().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let mut clusters = Vec::new();
        for _ in 0..usize::read(from)? {
            let mut cluster = Cluster::read(from)?;
            if let ClusterKind::Plain(plain) = &mut cluster.kind {
                *plain = PlainCluster {
                    hash_policies: Wire::read(from)?,
                    override_hosts: Wire::read(from)?,
                    override_statuses: Wire::read(from)?,
                    ..core::mem::take(plain)
                };
            }
            clusters.push(cluster);
        }
        let model = Self::new(clusters).ok()?.with_local(Wire::read(from)?);
        Some(model.with_chain(Wire::read(from)?))
    }
}

impl Wire for FallbackChain {
    fn write(&self, to: &mut ByteWriter) {
        self.to_vec().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Self::new(Wire::read(from)?).ok()
    }
}

impl Wire for ChainHosts {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Keys(keys) => {
                to.byte(0);
                keys.write(to);
            }
            Self::Match(values) => {
                to.byte(1);
                values.write(to);
            }
            Self::Any => to.byte(2),
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::Keys(Wire::read(from)?),
            1 => Self::Match(Wire::read(from)?),
            2 => Self::Any,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::{
        model::{HealthStatus, Locality, OverrideHostSource},
        route::{CookieSource, HashPolicy, HashSource},
    };

    use super::*;
    use crate::wire::{from_bytes, to_bytes};

    fn policies(sources: Vec<HashSource>) -> Vec<HashPolicy> {
        let policy = |source| HashPolicy {
            source,
            terminal: true,
        };
        sources.into_iter().map(policy).collect()
    }

    #[test]
    fn a_model_keeps_its_settings_for_requests() {
        let name = || "x-user".into();
        let plain = PlainCluster {
            hash_policies: policies(vec![
                HashSource::Header {
                    name: name(),
                    rewrite: None,
                },
                HashSource::Cookie(CookieSource {
                    name: name(),
                    ttl: Some(7),
                    attributes: vec![("SameSite".into(), "Lax".into())],
                    ..CookieSource::default()
                }),
                HashSource::QueryParameter { name: name() },
                HashSource::SourceIp,
                HashSource::FilterState { key: name() },
            ]),
            override_hosts: vec![
                OverrideHostSource::Header(name()),
                OverrideHostSource::Metadata {
                    namespace: name(),
                    path: vec![name()],
                },
            ],
            override_statuses: [HealthStatus::Draining].into_iter().collect(),
            ..PlainCluster::default()
        };
        let steps = vec![
            ChainStep {
                min_healthy_hosts: 3,
                min_healthy_percent: 40,
                retry_next_step: true,
                ..ChainStep::new(ChainHosts::Keys(vec!["stage".into()]))
            },
            ChainStep {
                last_resort: true,
                ..ChainStep::new(ChainHosts::Any)
            },
        ];
        let model = Model::new(vec![Cluster::plain("shop", plain)])
            .unwrap()
            .with_local(LocalInfo {
                locality: Some(Locality::default()),
                cluster: Some("edge".into()),
            })
            .with_chain(FallbackChain::new(steps).unwrap());
        let bytes = to_bytes(&model);
        assert_eq!(from_bytes(&bytes), Some(model));
        for end in 0..bytes.len() {
            assert_eq!(from_bytes::<Model>(&bytes[..end]), None, "{end}");
        }
    }
}
