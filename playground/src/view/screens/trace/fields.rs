//! The subset criteria that a request can have: the keys of the selectors, with the values of the hosts.

use std::collections::BTreeMap;

use spillgate_core::{
    model::{Metadata, Value},
    snapshot::{ClusterId, Snapshot},
};

/// The maximum number of proposed values of a key.
const MOST_VALUES: usize = 100;

/// A value that no host has, so that fallbacks can be seen.
const OTHER: &str = "a value that no host has";

/// A key of a subset selector, and the values of the hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionField {
    /// The key.
    pub key: String,
    /// The values with their labels, by label.
    pub values: Vec<(String, Value)>,
}

impl CriterionField {
    /// The value with a label; `None` for an empty label.
    #[must_use]
    pub fn value(&self, label: &str) -> Option<Value> {
        let known = self.values.iter().find(|(have, _)| have == label);
        match (known, label) {
            (Some((_, value)), _) => Some(value.clone()),
            (None, "") => None,
            (None, _) => Some(Value::UNMATCHED),
        }
    }
}

/// The keys of all selectors of a cluster or of its members, sorted.
#[must_use]
pub fn criterion_fields(snapshot: &Snapshot, cluster: ClusterId) -> Vec<CriterionField> {
    let mut found: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for plain in snapshot.owners(cluster).filter_map(|id| snapshot.plain(id)) {
        let Some(subsets) = &plain.subsets else {
            continue;
        };
        let config = subsets.index.config();
        let keys = config.selectors.iter().flat_map(|of| of.keys().iter());
        for key in keys {
            let values = found.entry(key.to_string()).or_default();
            let hosts = plain
                .priorities
                .iter()
                .flat_map(|priority| &priority.configured.endpoints);
            let own = hosts.filter_map(|host| host.metadata.get(key));
            for value in own {
                let elements = match value {
                    Value::List(elements) if config.list_as_any => &**elements,
                    value => std::slice::from_ref(value),
                };
                for value in elements {
                    if values.len() < MOST_VALUES {
                        values.insert(label(value), value.clone());
                    }
                }
            }
        }
    }
    let fields = found.into_iter().map(|(key, values)| {
        let mut values: Vec<(String, Value)> = values.into_iter().collect();
        values.push((OTHER.into(), Value::UNMATCHED));
        CriterionField { key, values }
    });
    fields.collect()
}

/// The criteria for labels of values.
pub(super) fn criteria(fields: &[CriterionField], labels: &[(String, String)]) -> Metadata {
    let labels = labels.iter().filter_map(|(key, label)| {
        let field = fields.iter().find(|field| field.key == *key)?;
        Some((key.as_str(), field.value(label)?))
    });
    Metadata::new(labels)
}

/// The value as text. Values of different types never match, so types other than text are named.
fn label(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Number(_) => format!("{value} (number)"),
        Value::Bool(_) => format!("{value} (bool)"),
        Value::Null | Value::List(_) | Value::Struct(_) => value.to_string(),
    }
}
