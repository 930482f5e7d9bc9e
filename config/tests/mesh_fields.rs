//! The classes of fields cover the published schemas of Istio's resources.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use spillgate_config::{
    mesh::{GATEWAY_API_MESSAGES, ISTIO_MESSAGES},
    proto::Irrelevance,
};

#[test]
fn every_field_of_istios_resources_and_of_routes_has_one_class() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/descriptors/istio.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let published: BTreeMap<&str, BTreeSet<&str>> = text
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap(), words.collect())
        })
        .collect();
    let mut faults = Vec::new();
    let messages = || ISTIO_MESSAGES.iter().chain(GATEWAY_API_MESSAGES);
    for schema in messages() {
        let known = &published[schema.message()];
        let ignored = schema.ignored_fields();
        let ignored = ignored.filter(|(why, _)| *why != Irrelevance::Document);
        let limited = schema.limited_fields();
        let classed = schema.fields().chain(limited).chain(ignored.map(|of| of.1));
        let mut seen = BTreeSet::new();
        for field in classed {
            if !seen.insert(field) {
                faults.push(format!("{}.{field} has two classes", schema.message()));
            }
        }
        for field in known.symmetric_difference(&seen) {
            faults.push(format!("{}.{field}", schema.message()));
        }
    }
    assert_eq!(faults, [""; 0]);
    // The objects without a list are maps, or have one field, or are inside an ignored or named field.
    let read: BTreeSet<&str> = messages().map(|schema| schema.message()).collect();
    assert_eq!(read.len(), messages().count());
}
