//! Aggregates of clusters.

use serde_json::{Value, json};

use super::maker::{Entry, Maker};

impl Maker<'_> {
    /// Adds an aggregate of two or three members.
    pub(super) fn aggregate(&mut self) -> Entry {
        let names = ["~a", "~b", "~c"];
        let count = self.dice.between(2, 3);
        let mut members = Vec::new();
        let mut entry = Entry {
            name: "~all".into(),
            subsets: false,
            hashes: false,
        };
        for name in &names[..count] {
            let member = self.plain(name, 3, 5);
            entry.subsets |= member.subsets;
            entry.hashes |= member.hashes;
            members.push(member.name);
        }
        if self.uses("aggregate_missing_member", 10) {
            let at = self.dice.between(0, count);
            members.insert(at, "~missing".into());
        }
        if self.uses("aggregate_nested", 10) {
            let at = self.dice.between(0, members.len());
            let nested = vec![members[self.dice.below(members.len())].clone()];
            self.clusters.push(aggregate("~nested", &nested));
            members.insert(at, "~nested".into());
        }
        let mut message = aggregate(&entry.name, &members);
        if self.uses("panic_threshold", 60) {
            let threshold = self.dice.one(&[0.0, 0.0, 10.0, 50.0, 70.9, 100.0]);
            message["common_lb_config"] = json!({"healthy_panic_threshold": {"value": threshold}});
        }
        self.clusters.push(message);
        entry
    }
}

fn aggregate(name: &str, members: &[String]) -> Value {
    json!({
        "name": name,
        "connect_timeout": "1s",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": members,
            },
        },
    })
}
