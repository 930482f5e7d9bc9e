//! The values of settings that are not modeled: two of them with one message can differ.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::{
    Diagnostic, Position, SourceMap,
    envoy::SourceText,
    node::{Node, NodeValue, canonical_hash},
};

/// The value at the place of each finding, as a hash; `None` if a finding has no place in the texts, which `map` places.
pub(super) fn values(
    map: &SourceMap,
    texts: &[SourceText<'_>],
    findings: &[&Diagnostic],
) -> Vec<Option<u64>> {
    let places: Vec<Option<(usize, Position)>> = findings
        .iter()
        .map(|found| {
            let place = map.place(found.position?);
            Some((place.file, place.position))
        })
        .collect();
    let mut found: BTreeMap<(usize, Position), u64> = BTreeMap::new();
    for (file, text) in texts.iter().enumerate() {
        let wanted = places.iter().flatten().filter(|place| place.0 == file);
        let wanted: BTreeSet<Position> = wanted.map(|(_, position)| *position).collect();
        if wanted.is_empty() {
            continue;
        }
        // The text was read before, so it has no syntax error.
        let Ok(document) = text.format.parse(text.text) else {
            continue;
        };
        for root in &document.roots {
            collect(root, &wanted, &mut |position, node| {
                found
                    .entry((file, position))
                    .or_insert_with(|| canonical_hash(node));
            });
        }
    }
    let values = places.into_iter();
    values.map(|place| found.get(&place?).copied()).collect()
}

/// Takes the values that are at these positions, or whose names are. The outermost one comes first.
fn collect(
    node: &Node<'_>,
    wanted: &BTreeSet<Position>,
    take: &mut dyn FnMut(Position, &Node<'_>),
) {
    if wanted.contains(&node.position) {
        take(node.position, node);
    }
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| collect(item, wanted, take)),
        NodeValue::Map(entries) => {
            for entry in entries {
                if wanted.contains(&entry.key.position) {
                    take(entry.key.position, &entry.node);
                }
                collect(&entry.node, wanted, take);
            }
        }
        _ => {}
    }
}
