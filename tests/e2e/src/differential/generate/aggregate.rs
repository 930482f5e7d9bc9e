//! Aggregates of clusters, and composite clusters.

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
            self.clusters
                .push(of_members("aggregate", "~nested", nested));
            members.insert(at, "~nested".into());
        }
        let mut message = of_members("aggregate", &entry.name, members);
        if self.uses("panic_threshold", 60) {
            let threshold = self.dice.one(&[0.0, 0.0, 10.0, 50.0, 70.9, 100.0]);
            message["common_lb_config"] = json!({"healthy_panic_threshold": {"value": threshold}});
        }
        self.clusters.push(message);
        entry
    }

    /// Adds a composite cluster, whose attempts have members of their own.
    pub(super) fn composite(&mut self) -> Entry {
        let names = ["~a", "~b", "~c"];
        let mut members: Vec<Value> = Vec::new();
        let mut entry = Entry {
            name: "~all".into(),
            subsets: false,
            hashes: false,
        };
        for name in &names[..self.dice.between(2, 3)] {
            let member = self.plain(name, 2, 4);
            entry.subsets |= member.subsets;
            entry.hashes |= member.hashes;
            members.push(json!({"name": member.name}));
        }
        if self.dice.chance(25) {
            let again = members[self.dice.below(members.len())].clone();
            members.insert(self.dice.between(0, members.len()), again);
        }
        if self.dice.chance(10) {
            let at = self.dice.between(0, members.len());
            members.insert(at, json!({"name": "~missing"}));
        }
        let message = of_members("composite", &entry.name, members);
        self.clusters.push(message);
        entry
    }
}

fn of_members(kind: &str, name: &str, members: impl Into<Value>) -> Value {
    json!({
        "name": name,
        "connect_timeout": "1s",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": format!("envoy.clusters.{kind}"),
            "typed_config": {
                "@type": format!("type.googleapis.com/envoy.extensions.clusters.{kind}.v3.ClusterConfig"),
                "clusters": members.into(),
            },
        },
    })
}
