//! Random graphs of clusters.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use spillgate_grpc::aggregate::{AggregateError, MAX_DEPTH, Resource, Root, resolve};

type Clusters = BTreeMap<String, Resource>;

fn name(index: usize) -> String {
    format!("c{index}")
}

fn clusters() -> impl Strategy<Value = Clusters> {
    let children = prop::collection::vec((0..6_usize).prop_map(name), 0..4);
    let resource = prop_oneof![
        3 => children.prop_map(Resource::Aggregate),
        2 => Just(Resource::Eds),
        1 => Just(Resource::LogicalDns),
        1 => Just(Resource::Missing),
    ];
    prop::collection::vec(resource, 6).prop_map(|resources| {
        let named = resources.into_iter().enumerate();
        named
            .map(|(index, resource)| (name(index), resource))
            .collect()
    })
}

/// The leaves at the end of every path without a cycle.
fn naive(clusters: &Clusters, name: &str, path: &mut Vec<String>, leaves: &mut Vec<String>) {
    if path.iter().any(|before| before == name) {
        return;
    }
    path.push(name.into());
    match &clusters[name] {
        Resource::Eds | Resource::LogicalDns => leaves.push(name.into()),
        Resource::Aggregate(children) => {
            for child in children {
                naive(clusters, child, path, leaves);
            }
        }
        _ => {}
    }
    path.pop();
}

fn leaves(root: &Root) -> Vec<String> {
    match root {
        Root::Leaves(leaves) => leaves.iter().map(|leaf| leaf.cluster.clone()).collect(),
        Root::Failed(AggregateError::NoLeaves | AggregateError::Missing) => Vec::new(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn leaves_are_those_of_a_plain_walk(clusters in clusters()) {
        let names: Vec<String> = clusters.keys().cloned().collect();
        let roots = names.iter().map(String::as_str);
        let found = resolve(&clusters, roots, MAX_DEPTH);
        for name in &names {
            let mut expected = Vec::new();
            naive(&clusters, name, &mut Vec::new(), &mut expected);
            let mut seen = BTreeSet::new();
            expected.retain(|leaf| seen.insert(leaf.clone()));
            prop_assert_eq!(leaves(&found.roots[name]), expected);
            let missing = found.roots[name] == Root::Failed(AggregateError::Missing);
            prop_assert_eq!(missing, clusters[name] == Resource::Missing);
            let alone = resolve(&clusters, [name.as_str()], MAX_DEPTH);
            prop_assert_eq!(&alone.roots[name], &found.roots[name]);
            prop_assert!(alone.watch.is_subset(&found.watch));
        }
    }
}
