//! Applies fix plans.

use serde_json::{Map, Value};
use spillgate_lint::{ConfigEdit, Finding};

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Field(String),
    Index(usize),
    /// Before the element with that index.
    Before(usize),
}

/// The configuration after the plan of a finding.
pub(crate) fn fix(config: &Value, finding: &Finding) -> Value {
    let mut config = config.clone();
    for edit in &finding.plan {
        apply(&mut config, edit);
    }
    config
}

fn apply(config: &mut Value, edit: &ConfigEdit) {
    let mut steps = steps(config, &edit.path);
    let last = steps.pop().unwrap();
    let mut at = config;
    for step in steps {
        at = match step {
            Step::Field(name) => {
                let fields = at.as_object_mut().unwrap();
                fields
                    .entry(name)
                    .or_insert_with(|| Value::Object(Map::new()))
            }
            Step::Index(index) => &mut at[index],
            Step::Before(_) => panic!("{}", edit.path),
        };
    }
    let value = edit
        .value
        .as_ref()
        .map(|text| serde_json::from_str(text).unwrap());
    match (last, value) {
        (Step::Field(name), Some(value)) => {
            at.as_object_mut().unwrap().insert(name, value);
        }
        (Step::Field(name), None) => {
            assert!(
                at.as_object_mut().unwrap().remove(&name).is_some(),
                "{}",
                edit.path
            );
        }
        (Step::Before(index), Some(value)) => at.as_array_mut().unwrap().insert(index, value),
        (Step::Index(index), Some(value)) => {
            let items = at.as_array_mut().unwrap();
            match items.get_mut(index) {
                Some(item) => *item = value,
                None => items.push(value),
            }
        }
        (Step::Index(index), None) => {
            at.as_array_mut().unwrap().remove(index);
        }
        (Step::Before(_), None) => panic!("{}", edit.path),
    }
}

/// Names may contain dots, so the path is resolved in the value.
fn steps(config: &Value, path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = Some(config);
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let (number, after) = inner.split_once(']').unwrap();
            rest = after;
            steps.push(match number.strip_prefix('+') {
                Some(number) => Step::Before(number.parse().unwrap()),
                None => Step::Index(number.parse().unwrap()),
            });
            at = at.and_then(|value| value.get(number.parse::<usize>().ok()?));
            continue;
        }
        let known = at.and_then(Value::as_object).into_iter().flatten();
        let mut names: Vec<&String> = known.map(|(name, _)| name).collect();
        names.sort_by_key(|name| core::cmp::Reverse(name.len()));
        let fits = |name: &&&String| {
            let after = rest.strip_prefix(name.as_str());
            after.is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']))
        };
        let name = match names.iter().find(fits) {
            Some(name) => name.as_str(),
            None => rest.split(['.', '[']).next().unwrap(),
        };
        steps.push(Step::Field(name.to_owned()));
        at = at.and_then(|value| value.get(name));
        rest = rest.strip_prefix(name).unwrap();
    }
    steps
}
