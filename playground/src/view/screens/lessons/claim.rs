//! What an option claims, as a text and as a condition on the result.

use spillgate_scenario::whole;

use super::result::{LessonResult, ServingHosts, SessionFate, rounded};

/// A claim about a result. Figures are whole percentages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LessonClaim {
    /// The shares that the priorities serve, and the share without a host.
    Priorities(&'static [u32], u32),
    /// The shares of healthy, degraded and unhealthy hosts.
    ByHealth([u32; 3]),
    /// The number of healthy hosts of P0 at which P1 gets its first requests.
    SpilloverAt(u32),
    /// The hosts of each priority that serve.
    Serving(&'static [ServingHosts]),
    /// The shares of the zones.
    Zones(&'static [(&'static str, u32)]),
    /// The shares of the members of an aggregate.
    Members(&'static [(&'static str, u32)]),
    /// The indices of the hosts that serve.
    Hosts(&'static [usize]),
    /// What happens to a session.
    Session(SessionFate),
}

impl LessonClaim {
    /// The text of the option.
    #[must_use]
    pub fn text(&self) -> String {
        let shares = |shares: &[(&str, u32)]| {
            let parts = shares
                .iter()
                .map(|(name, share)| format!("{name} {}", whole(*share)));
            parts.collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Priorities(loads, none) => {
                let names = loads.iter().enumerate();
                let parts = names.map(|(at, load)| format!("P{at} {}", whole(*load)));
                let none = (*none > 0).then(|| format!("{} get a 503", whole(*none)));
                parts.chain(none).collect::<Vec<_>>().join(", ")
            }
            Self::ByHealth([healthy, degraded, unhealthy]) => shares(&[
                ("healthy hosts", *healthy),
                ("degraded hosts", *degraded),
                ("unhealthy hosts", *unhealthy),
            ]),
            Self::SpilloverAt(hosts) => format!("{hosts} healthy hosts"),
            Self::Serving(hosts) => {
                let names = hosts.iter().enumerate();
                let parts = names.map(|(at, hosts)| format!("P{at}: {}", hosts.text()));
                parts.collect::<Vec<_>>().join("; ")
            }
            Self::Zones(zones) => shares(zones),
            Self::Members(members) => shares(members),
            Self::Hosts(hosts) => hosts_text(hosts.iter().copied()),
            Self::Session(fate) => fate.text().to_owned(),
        }
    }

    /// Whether the result is as claimed.
    #[must_use]
    pub fn holds(&self, result: &LessonResult) -> bool {
        match self {
            Self::Priorities(shares, none) => {
                let rows = result.outcome.priorities().iter();
                rows.map(|row| rounded(row.share())).eq(shares.to_vec())
                    && rounded(result.no_host) == *none
            }
            Self::ByHealth(shares) => result.by_health().map(rounded) == *shares,
            Self::SpilloverAt(hosts) => result.spillover_at() == Some(*hosts),
            Self::Serving(hosts) => result.serving() == *hosts,
            Self::Zones(zones) => result.zones().map(of_whole).eq(zones.iter().map(to_owned)),
            Self::Members(members) => {
                let found = result.members().map(of_whole);
                found.eq(members.iter().map(to_owned))
            }
            Self::Hosts(hosts) => result.serving_hosts().eq(hosts.iter().copied()),
            Self::Session(fate) => result.fate == Some(*fate),
        }
    }
}

fn of_whole((name, share): (String, f64)) -> (String, u32) {
    (name, rounded(share))
}

fn to_owned((name, share): &(&str, u32)) -> (String, u32) {
    ((*name).to_owned(), *share)
}

/// `host1 and host2`, by their indices.
#[must_use]
pub(super) fn hosts_text(hosts: impl Iterator<Item = usize>) -> String {
    let names: Vec<String> = hosts.map(|host| format!("host{}", host + 1)).collect();
    match names.split_last() {
        None => "no host (503)".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

impl ServingHosts {
    const fn text(self) -> &'static str {
        match self {
            Self::Available => "the healthy hosts",
            Self::All => "all hosts, healthy or not",
            Self::NoHosts => "no hosts",
        }
    }
}
