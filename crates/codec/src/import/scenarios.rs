//! Scenarios for the modules of the page's screens, as bytes.

use alloc::vec::Vec;

use spillgate_core::model::Cluster;

use super::fields::Wire;
use crate::{
    bytes::{ByteReader, ByteWriter},
    link::Scenario,
};

/// Writes scenarios. Unlike links, the bytes contain all settings of the clusters, except hash policies of
/// load-balancing policies and override hosts.
#[must_use]
pub fn scenarios_to_bytes<O>(scenarios: &[&Scenario<O>]) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    writer.count(scenarios.len());
    for scenario in scenarios {
        scenario.root().write(&mut writer);
        writer.count(scenario.clusters().len());
        for cluster in scenario.clusters() {
            cluster.write(&mut writer);
        }
    }
    writer.0
}

/// Reads scenarios; `None` for other bytes.
#[must_use]
pub fn scenarios_from_bytes<O: Default>(bytes: &[u8]) -> Option<Vec<Scenario<O>>> {
    let mut reader = ByteReader::new(bytes);
    let mut scenarios = Vec::new();
    for _ in 0..usize::read(&mut reader)? {
        let root = Wire::read(&mut reader)?;
        let clusters: Vec<Cluster> = Wire::read(&mut reader)?;
        scenarios.push(Scenario::new(clusters, root).ok()?);
    }
    reader.is_empty().then_some(scenarios)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::{
        ClusterKind, DropOverload, Endpoint, Metadata, PlainCluster, Priority, SubsetConfig, Value,
    };

    use super::*;

    #[test]
    fn scenarios_keep_settings_that_links_drop() {
        let host = Endpoint {
            metadata: Metadata::new([("stage", Value::Text("prod".into()))]),
            ..Endpoint::new("10.0.0.1:80")
        };
        let shop = PlainCluster {
            drop_overload: DropOverload::from_millionths(500),
            subsets: Some(SubsetConfig::default()),
            priorities: vec![Priority::single_locality(vec![host])],
            ..PlainCluster::default()
        };
        let clusters = vec![
            Cluster::plain("other", PlainCluster::default()),
            Cluster {
                name: "shop".into(),
                kind: ClusterKind::Plain(shop),
            },
        ];
        let scenario: Scenario = Scenario::new(clusters.clone(), 1).unwrap();
        let other = Scenario::new(clusters, 0).unwrap();
        let bytes = scenarios_to_bytes(&[&scenario, &other]);
        let read: Vec<Scenario> = scenarios_from_bytes(&bytes).unwrap();
        assert_eq!(read, [scenario, other]);
        for end in 0..bytes.len() {
            assert!(scenarios_from_bytes::<()>(&bytes[..end]).is_none(), "{end}");
        }
        assert!(
            scenarios_from_bytes::<()>(&[1, 0, 0]).is_none(),
            "no cluster"
        );
    }
}
