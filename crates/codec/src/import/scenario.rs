//! A scenario as bytes, which a reload of the page keeps.

use alloc::vec::Vec;

use spillgate_core::model::Cluster;

use super::fields::Wire;
use crate::{
    bytes::{ByteReader, ByteWriter},
    link::Scenario,
};

/// Writes a scenario. Unlike links, the bytes contain all settings of the clusters, except hash policies of
/// load-balancing policies and override hosts.
#[must_use]
pub fn scenario_to_bytes<O>(scenario: &Scenario<O>) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    scenario.root().write(&mut writer);
    writer.count(scenario.clusters().len());
    for cluster in scenario.clusters() {
        cluster.write(&mut writer);
    }
    writer.0
}

/// Reads a scenario; `None` for other bytes.
#[must_use]
pub fn scenario_from_bytes<O: Default>(bytes: &[u8]) -> Option<Scenario<O>> {
    let mut reader = ByteReader::new(bytes);
    let root = Wire::read(&mut reader)?;
    let clusters: Vec<Cluster> = Wire::read(&mut reader)?;
    let scenario = Scenario::new(clusters, root).ok()?;
    reader.is_empty().then_some(scenario)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::{
        ClusterKind, DropOverload, Endpoint, Metadata, PlainCluster, Priority, SubsetConfig, Value,
    };

    use super::*;

    #[test]
    fn bytes_keep_settings_that_links_drop() {
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
        let scenario: Scenario = Scenario::new(clusters, 1).unwrap();
        let bytes = scenario_to_bytes(&scenario);
        assert_eq!(scenario_from_bytes(&bytes), Some(scenario));
        for end in 0..bytes.len() {
            assert!(scenario_from_bytes::<()>(&bytes[..end]).is_none(), "{end}");
        }
        assert!(scenario_from_bytes::<()>(&[0, 0]).is_none(), "no cluster");
    }
}
