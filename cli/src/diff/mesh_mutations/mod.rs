//! No mutation of a document of a mesh is "proved" to change nothing, unless a list says why it does not.
//!
//! Each field is mutated, and deleted, where it occurs, until a comparison notices one of the mutations. A field with
//! none must be on the list, and only such fields are.

mod allowed;
mod corpus;
mod noticed;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use self::{
    allowed::{allowed, patterns},
    corpus::corpus,
    noticed::Before,
    tree::{Mutation, mutations},
};

/// The most places of one field in one input that are tried.
const TRIED: usize = 3;

#[test]
fn every_change_of_a_document_is_noticed_or_has_a_reason_not_to_be() {
    let mut silent: BTreeMap<(String, &str), String> = BTreeMap::new();
    let mut noticed: BTreeSet<(String, &str)> = BTreeSet::new();
    for input in corpus() {
        let before = Before::of(&input.name, &input.documents);
        let mut tried: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for Mutation {
            field,
            what,
            variants,
        } in mutations(&input.documents)
        {
            let key = (field, what);
            let count = tried.entry(key.clone()).or_default();
            if noticed.contains(&key) || *count >= TRIED {
                continue;
            }
            *count += 1;
            if variants.iter().any(|variant| before.notices(variant)) {
                silent.remove(&key);
                noticed.insert(key);
            } else {
                silent.entry(key).or_insert_with(|| input.name.clone());
            }
        }
    }
    assert!(noticed.len() > 300, "{}", noticed.len());
    let wrong = silent.iter();
    let wrong = wrong.filter(|((field, _), _)| allowed(field).is_none());
    let wrong: Vec<String> = wrong
        .map(|((field, what), input)| format!("{what} {field} ({input})"))
        .collect();
    assert!(
        wrong.is_empty(),
        "proved equal after:\n{}",
        wrong.join("\n")
    );
    let used: BTreeSet<&str> = silent
        .keys()
        .filter_map(|(field, _)| allowed(field))
        .collect();
    let unused: Vec<&str> = patterns()
        .filter(|pattern| !used.contains(pattern))
        .collect();
    assert!(unused.is_empty(), "always noticed: {unused:?}");
}
