//! The inputs that are mutated: examples of the documentation, and vectors.

use serde_json::Value;
use spillgate_config::node::{NodeValue, Scalars, read_yaml, to_json};

/// An input of several documents.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) documents: Vec<Value>,
}

macro_rules! inputs {
    ($([$($path:literal),+]),+ $(,)?) => {
        [$([$(($path, include_str!(concat!("../../../../", $path)))),+].as_slice()),+]
    };
}

/// All inputs.
pub(super) fn corpus() -> Vec<Input> {
    let files = inputs![
        ["cli/tests/cli/fixtures/istio/shop.yaml"],
        ["cli/tests/cli/fixtures/kuma/shop.yaml"],
        ["cli/tests/cli/fixtures/kuma/zones.yaml"],
        ["cli/tests/cli/examples/ingress.yaml"],
        ["cli/tests/cli/examples/istio.yaml"],
        ["cli/tests/cli/examples/mesh.yaml"],
        [
            "cli/tests/cli/examples/policy.yaml",
            "cli/tests/cli/examples/dataplanes.yaml"
        ],
        [
            "docs/mesh/examples/three-zones.yaml",
            "docs/mesh/examples/any-zone.yaml"
        ],
        [
            "docs/mesh/examples/three-zones.yaml",
            "docs/mesh/examples/route-split.yaml"
        ],
        [
            "docs/mesh/examples/six-zones.yaml",
            "docs/mesh/examples/zone-groups.yaml"
        ],
        [
            "docs/mesh/examples/three-zones.yaml",
            "docs/mesh/examples/exclude-zone.yaml"
        ],
        [
            "docs/mesh/examples/nodes.yaml",
            "docs/mesh/examples/node-and-az.yaml"
        ],
        [
            "docs/mesh/examples/three-zones.yaml",
            "docs/mesh/examples/ordered-zones.yaml"
        ],
        [
            "vectors/field/mesh/max-ejection-cap/hosts.yaml",
            "vectors/field/mesh/max-ejection-cap/nodes.yaml",
            "vectors/field/mesh/max-ejection-cap/policy.yaml"
        ],
        [
            "vectors/field/mesh/multi-network/hosts.yaml",
            "vectors/field/mesh/multi-network/nodes.yaml",
            "vectors/field/mesh/multi-network/policy.yaml"
        ],
        [
            "vectors/field/mesh/two-sources/hosts.yaml",
            "vectors/field/mesh/two-sources/policy.yaml"
        ],
        [
            "vectors/field/mesh/traffic-distribution-alone/hosts.yaml",
            "vectors/field/mesh/traffic-distribution-alone/istio-configmap.yaml"
        ],
        [
            "vectors/field/mesh/undefined-subset/hosts.yaml",
            "vectors/field/mesh/undefined-subset/vs.yaml"
        ],
        [
            "vectors/field/mesh/hash-of-destination/hosts.yaml",
            "vectors/field/mesh/hash-of-destination/policy.yaml"
        ],
        [
            "vectors/field/mesh/prefer-close-unready/hosts.yaml",
            "vectors/field/mesh/prefer-close-unready/dr.yaml"
        ],
    ];
    let input = |files: &&[(&str, &str)]| {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        Input {
            name: names.join(" "),
            documents: files.iter().flat_map(|(_, text)| documents(text)).collect(),
        }
    };
    files.iter().map(input).collect()
}

/// The documents of a text, each by itself.
fn documents(text: &str) -> Vec<Value> {
    let read = read_yaml(text, Scalars::Json).expect("valid YAML");
    let roots = read.roots.iter().flat_map(|root| {
        let items = root.get("items").unwrap_or(root);
        match &items.value {
            NodeValue::List(items) => items.iter().collect(),
            _ => vec![root],
        }
    });
    let values = roots.filter(|root| root.value != NodeValue::Null);
    values
        .map(|root| serde_json::from_str(&to_json(root)).expect("valid JSON"))
        .collect()
}
