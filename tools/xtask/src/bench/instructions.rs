//! How the instructions for a decision grow with the hosts, compared with those of a peer.

use anyhow::Result;
use serde_json::{Value, json};

use super::callgrind::Callgrind;

const FEW: u32 = 10;
const MANY: u32 = 100_000;
/// How much more a decision may cost among many hosts: nothing but chance, and the two or three
/// more comparisons in a fuller queue or stretch.
const BAR: f64 = 1.25;

/// The counted work, and whether its cost may grow with the hosts: a policy that looks at all has
/// to, and is counted among 1,000; a queue grows by its logarithm.
const CASES: [(&str, Growth); 16] = [
    ("peer/pingora_round_robin", Growth::Peer),
    ("decision/round_robin", Growth::None),
    ("decision/random", Growth::None),
    ("decision/least_request", Growth::None),
    ("decision/client_side_weighted_round_robin", Growth::None),
    ("decision/ring_hash", Growth::None),
    ("decision/maglev", Growth::None),
    ("decision/locality_weighted", Growth::None),
    ("decision/zone_aware", Growth::None),
    ("decision/subsets", Growth::None),
    ("decision/subsets_and_localities", Growth::None),
    ("decision/aggregate", Growth::None),
    ("decision/weighted_round_robin", Growth::Logarithm),
    ("decision/maglev_bounded", Growth::Linear),
    ("decision/rendezvous", Growth::Linear),
    ("decision/least_request_full_scan", Growth::Linear),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    None,
    Logarithm,
    Linear,
    /// A peer that takes 65,535 hosts at most; it is counted among 1,000.
    Peer,
}

/// What one decision costs.
pub struct Count {
    name: &'static str,
    growth: Growth,
    few: u64,
    many: Option<u64>,
}

/// Counts all cases and prints them.
pub fn run(callgrind: &Callgrind<'_>) -> Result<Vec<Count>> {
    let count = |name: &str, hosts: u32| callgrind.count(name, Some(hosts));
    println!("instructions for each decision among {FEW} and {MANY} hosts (1,000 where it grows)");
    let mut counts = Vec::new();
    for (name, growth) in CASES {
        let grows = matches!(growth, Growth::Linear | Growth::Peer);
        let found = Count {
            name,
            growth,
            few: count(name, if grows { 1_000 } else { FEW })?,
            many: if grows {
                None
            } else {
                Some(count(name, MANY)?)
            },
        };
        println!("{}", found.row());
        counts.push(found);
    }
    Ok(counts)
}

impl Count {
    fn ratio(&self) -> Option<f64> {
        Some(self.many? as f64 / self.few as f64)
    }

    /// Whether the number of hosts does not count.
    pub fn passes(&self) -> bool {
        let ratio = self.ratio().unwrap_or(1.0);
        ratio <= BAR || self.growth != Growth::None
    }

    pub fn title(&self) -> String {
        let ratio = self.ratio().unwrap_or(1.0);
        format!("instructions of {} grow {ratio:.2} times", self.name)
    }

    fn row(&self) -> String {
        let many = self.many.map_or(String::new(), |many| many.to_string());
        let ratio = self.ratio().map_or(String::new(), |r| format!("{r:.3}"));
        let note = match self.growth {
            Growth::None if self.passes() => format!("<= {BAR}  holds"),
            Growth::None => format!("<= {BAR}  FAILS"),
            Growth::Logarithm => "grows by the logarithm".into(),
            Growth::Linear => "looks at all hosts".into(),
            Growth::Peer => "peer".into(),
        };
        format!(
            "  {:<34} {:>8} {many:>8} {ratio:>7}  {note}",
            self.name, self.few
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "name": self.name, "few": self.few, "many": self.many, "ratio": self.ratio(),
            "holds": self.passes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_fails_only_where_none_is_allowed() {
        let count = |growth, many| Count {
            name: "n",
            growth,
            few: 100,
            many: Some(many),
        };
        assert!(count(Growth::None, 125).passes());
        assert!(!count(Growth::None, 126).passes());
        assert!(count(Growth::Logarithm, 500).passes());
    }
}
