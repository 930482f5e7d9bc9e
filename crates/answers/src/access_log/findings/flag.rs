//! What a response flag means for a configuration.

use spillgate_config::nearest;
use spillgate_core::{
    model::Metadata,
    route::{HeaderList, Route, RouteMatch},
};
use spillgate_explain::{path_match, priority_name, report::PriorityTable};

use super::{Compared, host::all_hosts, total};
use crate::{
    access_log::ResponseFlag,
    explain::{AskedRequest, decide},
    pick::OwnReplyReason,
};

impl Compared<'_, '_> {
    /// What a flag means here. A flag that the configuration does not explain is a difference.
    pub(super) fn flag(&self, flag: &ResponseFlag, differs: &mut Vec<String>) -> Vec<String> {
        if self.verdict.is_unknown {
            return Vec::new();
        }
        match flag.name {
            "UH" => self.no_host(differs),
            "NR" => self.no_route(differs),
            "NC" => self.no_cluster(differs),
            "DO" | "UDO" => self.dropped(differs),
            "URX" => self.retry_limit(differs),
            "UF" | "UC" | "UR" | "UT" | "UPE" => {
                vec![self.with_host("it stays in use until health checks or outlier detection mark it")]
            }
            "UO" => vec![
                "circuit breakers do not change which host is chosen; the counters *_overflow of the cluster show which one refuses".to_owned(),
            ],
            _ => Vec::new(),
        }
    }

    /// A sentence about the host of the line.
    fn with_host(&self, what: &str) -> String {
        match &self.line.host {
            Some(host) if self.uses_unhealthy_host(host) => {
                format!("{host} is unhealthy here, and gets requests because of panic mode")
            }
            Some(host) => format!("{host}: {what}"),
            None => format!("the host is not in the line; {what}"),
        }
    }

    /// `here too`, or a difference.
    fn share_of(
        &self,
        reason: OwnReplyReason,
        what: &str,
        differs: &mut Vec<String>,
    ) -> Vec<String> {
        let share = self.replies(reason);
        if share >= 100.0 {
            vec![format!("here too, every such request {what}")]
        } else if share > 0.0 {
            vec![format!("here, {share:.2} % of such requests {what}")]
        } else {
            differs.push(format!(
                "with this configuration and health, no such request {what}"
            ));
            Vec::new()
        }
    }

    /// `UH`: the priorities of the clusters, and whether failed health checks alone can cause it.
    fn no_host(&self, differs: &mut Vec<String>) -> Vec<String> {
        let mut here = self.share_of(OwnReplyReason::NoHost, "ends without a host", differs);
        let snapshot = self.asked.snapshot;
        for &id in &self.verdict.reached.clusters {
            let Some(cluster) = snapshot.cluster(id) else {
                continue;
            };
            let table = PriorityTable::of(snapshot, id, &Metadata::EMPTY);
            let rows = table.rows.iter().map(|row| {
                let name = priority_name(snapshot, id, row.at);
                format!("{name} {} of {}", row.health.healthy, row.health.hosts)
            });
            let rows: Vec<String> = rows.collect();
            if !rows.is_empty() {
                let has_subsets = snapshot
                    .plain(id)
                    .is_some_and(|plain| plain.subsets.is_some());
                let part = if has_subsets { ", in all subsets" } else { "" };
                here.push(format!(
                    "healthy hosts of {}{part}: {}; panic threshold {} %",
                    cluster.name,
                    rows.join(", "),
                    table.totals.panic_threshold
                ));
            }
        }
        if !self.is_steered && self.replies(OwnReplyReason::NoHost) < 100.0 {
            here.extend(self.without_health());
        }
        here
    }

    /// The share of requests without a host if every host fails its health checks.
    fn without_health(&self) -> Option<String> {
        let snapshot = self.asked.snapshot;
        let failed = all_hosts(snapshot).into_iter().filter_map(|host| {
            let health = snapshot.endpoint(host)?.health;
            Some((host, health.failed()))
        });
        let failed: Vec<_> = failed.collect();
        let failed = snapshot.with_health(&failed);
        let asked = AskedRequest {
            snapshot: &failed,
            ..*self.asked
        };
        let verdict = decide(&asked, self.verdict.seed);
        if verdict.is_unknown {
            return None;
        }
        let replies = verdict.replies.iter();
        let none = replies.filter(|reply| reply.reason == OwnReplyReason::NoHost);
        let share = total(none.map(|reply| reply.share));
        Some(if share > 0.0 {
            format!(
                "if all hosts fail their health checks, {share:.2} % of such requests end without a host"
            )
        } else {
            "if all hosts fail their health checks, panic mode still chooses one: failed health checks alone are not the cause".to_owned()
        })
    }

    /// `NR`: the nearest domain, or the nearest route of the virtual host.
    fn no_route(&self, differs: &mut Vec<String>) -> Vec<String> {
        let no_chain = self.replies(OwnReplyReason::NoFilterChain);
        if no_chain > 0.0 {
            return vec![
                "here too, no filter chain of the listener serves the connection".to_owned(),
            ];
        }
        let mut here = self.share_of(OwnReplyReason::NoRoute, "matches no route", differs);
        if here.is_empty() {
            return here;
        }
        let headers = HeaderList(&self.asked.request.headers);
        let received = self
            .asked
            .routes
            .receive(&headers, self.asked.request.connection(&[]));
        let value = |name: &str| {
            let mut headers = self.asked.request.headers.iter();
            headers
                .find(|(have, _)| have == name)
                .map_or("", |(_, value)| value.as_str())
        };
        let (host, path) = (value(":authority"), value(":path"));
        let Some(virtual_host) = self.asked.routes.virtual_host(host.as_bytes()) else {
            let all = self.asked.routes.virtual_hosts.iter();
            let domains = all.flat_map(|host| host.domains.iter().map(String::as_str));
            here.push(match nearest(host, domains) {
                Some(domain) => {
                    format!("no virtual host has the domain; the nearest one is {domain}")
                }
                None => "no virtual host has the domain".to_owned(),
            });
            return here;
        };
        let by_path =
            |route: &&Route| RouteMatch::path(route.matcher.path.clone()).matches(&received);
        let of_path = virtual_host.routes.iter().find(by_path);
        if let Some(route) = of_path {
            here.push(format!(
                "the nearest route of virtual host {} matches the path, {}, but another condition of it does not hold",
                virtual_host.name,
                path_match(&route.matcher.path)
            ));
            return here;
        }
        let longest = virtual_host
            .routes
            .iter()
            .max_by_key(|route| common(&path_match(&route.matcher.path), path));
        if let Some(route) = longest {
            here.push(format!(
                "the nearest route of virtual host {} is that with {}",
                virtual_host.name,
                path_match(&route.matcher.path)
            ));
        }
        here
    }

    /// `NC`: whether the cluster of the route exists.
    fn no_cluster(&self, differs: &mut Vec<String>) -> Vec<String> {
        let what = "selects a cluster that does not exist";
        let mut here = self.share_of(OwnReplyReason::UnknownCluster, what, differs);
        if let Some(name) = self.verdict.cluster.as_ref().filter(|_| !here.is_empty()) {
            here.push(format!("the route selects {name}"));
        }
        here
    }

    /// `DO`: the share that the cluster drops.
    fn dropped(&self, differs: &mut Vec<String>) -> Vec<String> {
        self.share_of(OwnReplyReason::Dropped, "is dropped", differs)
    }

    /// `URX`: the retries of the route.
    fn retry_limit(&self, differs: &mut Vec<String>) -> Vec<String> {
        match self.retries() {
            0 => {
                differs.push("the route of this configuration does not retry".to_owned());
                Vec::new()
            }
            retries => vec![format!(
                "retries of the route: at most {retries}; --failed adds the odds of success while a host refuses connections"
            )],
        }
    }
}

/// The length of the common start of a quoted text and a path.
fn common(quoted: &str, path: &str) -> usize {
    let text = quoted.split_once('"').map_or("", |(_, text)| text);
    text.chars()
        .zip(path.chars())
        .take_while(|(a, b)| a == b)
        .count()
}
