//! The dynamic module as a variant: its filters, routes and clusters.

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_core::model::Cluster;

use crate::config::{
    Unlisted, aggregate, hash_policy, isolated, native, our_filters, policy_of_module,
    steer_cluster, to_cluster, to_cluster_of_module,
};
use crate::fresh_secret;
use crate::sessions::sticky;

use super::version::{VERSION_HEADER, label_v1};

/// The cookie of the module's sessions.
pub(super) const MODULE_COOKIE: &str = "spillgate-module";

/// A task of the dynamic module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModuleTask {
    /// A subset from a header, in one cluster.
    Criteria,
    /// The same with a session in a cookie that stays.
    Session,
    /// A member of an aggregate, and its host.
    Aggregate,
    /// The same with a list of three hosts.
    List,
}

impl ModuleTask {
    pub(super) const ALL: [Self; 4] = [Self::Criteria, Self::Session, Self::Aggregate, Self::List];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Criteria => "module, criteria and a subset",
            Self::Session => "module, a session kept in a subset",
            Self::Aggregate => "module, an aggregate with the specifier",
            Self::List => "module, an aggregate and a list of three",
        }
    }

    /// The highest passing ratio of CPU time to [`Variant::native_peer`](super::variants::Variant::native_peer).
    pub(super) const fn most_time(self) -> f64 {
        match self {
            Self::Criteria => 1.15,
            Self::Aggregate | Self::Session => 1.3,
            Self::List => 1.4,
        }
    }

    /// The same for instructions.
    pub(super) const fn most_instructions(self) -> f64 {
        match self {
            Self::Criteria => 1.05,
            Self::Aggregate => 1.1,
            Self::Session => 1.2,
            Self::List => 1.25,
        }
    }

    /// The name of a member cluster for this task.
    fn cluster(self, member: &str) -> String {
        let delivery = match self {
            Self::List => "list",
            _ => "single",
        };
        format!("module-{delivery}-{member}")
    }

    /// The filter.
    pub(super) fn filters(self, members: &[Cluster]) -> Result<Vec<Value>> {
        let mut clusters = Vec::new();
        for member in members {
            let mut cluster = native(member)?;
            cluster["name"] = json!(self.cluster(&member.name));
            // The hosts come from Envoy.
            if let Some(fields) = cluster.as_object_mut() {
                fields.remove("load_assignment");
            }
            clusters.push(cluster);
        }
        let names: Vec<String> = members.iter().map(|one| self.cluster(&one.name)).collect();
        let mut configuration = json!({
            "hash_policy": hash_policy(),
            "output": {"candidates": if self == Self::List { 3 } else { 1 }},
        });
        match self {
            Self::Aggregate | Self::List => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                clusters.push(native(&aggregate("shop", &names))?);
                configuration["target"] = json!("shop");
            }
            Self::Criteria | Self::Session => {
                clusters.truncate(1);
                clusters[0]["lb_subset_config"] = json!({
                    "fallback_policy": "NO_FALLBACK",
                    "subset_selectors": [{"keys": ["version"]}],
                });
                configuration["target"] = json!(names[0]);
                configuration["criteria"] = json!([{"key": "version", "header": VERSION_HEADER}]);
            }
        }
        if self == Self::Session {
            let mut affinity = sticky(&[(1, &fresh_secret()?)]);
            affinity["cookie"]["name"] = json!(MODULE_COOKIE);
            affinity["scope"] = json!("shop");
            configuration["affinity"] = affinity;
        }
        configuration["clusters"] = json!(clusters);
        our_filters(DynamicModule, &configuration)
    }

    /// The route of everything.
    pub(super) fn route(self, members: &[Cluster]) -> Value {
        match self {
            Self::Aggregate | Self::List => to_cluster_of_module(""),
            Self::Criteria | Self::Session => {
                let first = members.first().map_or("", |member| member.name.as_str());
                let mut route = to_cluster("/", &self.cluster(first));
                route["match"] = json!({"prefix": "/"});
                route
            }
        }
    }
}

/// The clusters of all tasks in Envoy: for single hosts, and for lists.
pub(super) fn clusters(members: &[Cluster]) -> Result<Vec<Value>> {
    let mut all = Vec::new();
    for task in [ModuleTask::Aggregate, ModuleTask::List] {
        for member in members {
            let mut cluster = isolated(DynamicModule, member)?;
            let name = json!(task.cluster(&member.name));
            cluster["load_assignment"]["cluster_name"] = name.clone();
            cluster["name"] = name;
            label_v1(&mut cluster);
            match task {
                ModuleTask::List => steer_cluster(&mut cluster, DynamicModule, Unlisted::Refused),
                _ => cluster["load_balancing_policy"] = policy_of_module(),
            }
            all.push(cluster);
        }
    }
    Ok(all)
}
