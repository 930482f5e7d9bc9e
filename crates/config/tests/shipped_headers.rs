//! In the shipped configurations, Envoy removes the headers that clients must not send before any
//! filter runs: the same ones as the filter.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::shipped::{configurations, shipped_files};
use serde_json::Value;

/// Header names, lowercase.
type HeaderNames = BTreeSet<String>;

/// What a folder configures.
#[derive(Debug, Default)]
struct Folder {
    /// The headers that its filters remove from client requests, except the one that enables
    /// traces: the filter must read it.
    filters: HeaderNames,
    /// Those in `reserved_headers`.
    reserved: HeaderNames,
    /// The lists that Envoy removes or overwrites early.
    early: Vec<HeaderNames>,
    /// Connection managers with the filter that have no such list.
    without: usize,
}

fn name(value: &Value) -> Option<String> {
    value.as_str().map(str::to_ascii_lowercase)
}

/// The headers that a filter removes.
fn removed(filter: &Value, folder: &mut Folder) {
    let output = &filter["output"];
    let own = |value: &Value, default: &str| name(value).unwrap_or_else(|| default.to_owned());
    let names = &mut folder.filters;
    names.insert(own(&output["host_header"], "x-spillgate-host"));
    names.insert(own(&output["cluster_header"], "x-spillgate-cluster"));
    if let Some(headers) = output["subset_headers"].as_object() {
        names.extend(headers.values().filter_map(name));
    }
    if let Some(trace) = filter.get("trace") {
        names.insert(own(&trace["header"], "x-spillgate-trace"));
    }
    let reserved = filter["reserved_headers"].as_array().into_iter().flatten();
    folder.reserved.extend(reserved.filter_map(name));
}

/// The headers that a list of `early_header_mutation_extensions` removes or overwrites.
fn early(extensions: &Value) -> HeaderNames {
    let mut names = HeaderNames::new();
    for extension in extensions.as_array().unwrap() {
        for mutation in extension["typed_config"]["mutations"].as_array().unwrap() {
            let append = &mutation["append"];
            let overwrites = append["append_action"] == "OVERWRITE_IF_EXISTS_OR_ADD";
            let header = if overwrites {
                &append["header"]["key"]
            } else {
                &mutation["remove"]
            };
            names.insert(name(header).unwrap());
        }
    }
    names
}

/// Finds the lists, also in patches of other systems.
fn find_early(value: &Value, folder: &mut Folder) {
    const FIELD: &str = "early_header_mutation_extensions";
    match value {
        Value::Object(fields) => {
            let list = fields.get(FIELD);
            let patched = fields.get("value").filter(|_| value["path"] == FIELD);
            if let Some(list) = list.or(patched) {
                folder.early.push(early(list));
            } else if let Some(Value::Array(filters)) = fields.get("http_filters")
                && filters.iter().any(|filter| filter["name"] == "spillgate")
            {
                folder.without += 1;
            }
            for value in fields.values() {
                find_early(value, folder);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| find_early(item, folder)),
        _ => {}
    }
}

#[test]
fn what_the_filter_removes_is_removed_early_too() {
    let mut folders: BTreeMap<_, Folder> = BTreeMap::new();
    for file in shipped_files() {
        let folder = file.path.parent().unwrap().to_owned();
        let folder = folders.entry(folder).or_default();
        let mut found = [Vec::new(), Vec::new()];
        for root in &file.roots {
            configurations(root, &mut found);
            find_early(root, folder);
        }
        found[0].iter().for_each(|filter| removed(filter, folder));
    }
    let (mut lists, mut reserving) = (0, 0);
    for (path, folder) in &folders {
        // Nothing reads these headers around the dynamic module.
        let is_native = path
            .parent()
            .is_some_and(|parent| parent.ends_with("native"));
        let path = path.display();
        if folder.filters.is_empty() || is_native {
            continue;
        }
        assert_eq!(folder.without, 0, "{path}");
        assert!(!folder.early.is_empty(), "{path} has no early list");
        for list in &folder.early {
            let missing: Vec<_> = folder.filters.difference(list).collect();
            assert!(missing.is_empty(), "{path}: not removed early: {missing:?}");
            let missing: Vec<_> = folder.reserved.difference(list).collect();
            assert!(
                missing.is_empty(),
                "{path}: reserved, not removed early: {missing:?}"
            );
            let more = list.difference(&folder.filters).cloned().collect();
            assert_eq!(folder.reserved, more, "{path}: removed early, not reserved");
        }
        lists += folder.early.len();
        reserving += usize::from(!folder.reserved.is_empty());
    }
    assert!(
        lists >= 15 && reserving >= 3,
        "{lists} lists, {reserving} with reserved_headers"
    );
}
