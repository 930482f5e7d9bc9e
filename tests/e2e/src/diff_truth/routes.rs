//! Predicted routes of example requests.

use std::collections::BTreeSet;

use serde_json::Value;

use super::address::address;
use super::check::{PairCheck, PredictedFraction, Seen, TestKind};
use super::pair::{ConfigPair, RowUse};
use crate::differential::{DifferentialScenario, Observed};

/// The error of a tenth of a percent.
const ROUNDING: f64 = 0.000_51;

/// The part of the requests that has a result, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
struct ClaimedPart {
    part: f64,
    result: ClaimedResult,
}

#[derive(Debug, Clone, PartialEq)]
enum ClaimedResult {
    Cluster(String),
    Status(u16),
}

/// Example requests must take the routes of both sides.
pub(super) fn check(pair: &ConfigPair, seen: &Seen<'_>, found: &mut PairCheck) {
    for (row, usage) in pair.rows.iter().enumerate() {
        let RowUse::Example(number) = usage else {
            continue;
        };
        let Some(route) = pair.report.routes.get(*number) else {
            continue;
        };
        let sides = [
            ("before", &route.before, &pair.old, &seen.old[row]),
            ("after", &route.after, &pair.new, &seen.new[row]),
        ];
        for (side, text, scenario, observed) in sides {
            if let Some(claimed) = claimed(text) {
                let case = format!("{:?}, {side} {text}", route.example);
                of_side(&claimed, scenario, observed, &case, found);
            }
        }
    }
}

fn of_side(
    claimed: &[ClaimedPart],
    scenario: &DifferentialScenario,
    seen: &[Observed],
    case: &str,
    found: &mut PairCheck,
) {
    let results: Vec<(&ClaimedPart, BTreeSet<String>)> = claimed
        .iter()
        .map(|part| match &part.result {
            ClaimedResult::Cluster(name) => (part, addresses(scenario, name)),
            ClaimedResult::Status(_) => (part, BTreeSet::new()),
        })
        .collect();
    let fits = |one: &Observed, (part, hosts): &(&ClaimedPart, BTreeSet<String>)| {
        match (&one.endpoint, &part.result) {
            (Some(host), _) => hosts.contains(host),
            (None, ClaimedResult::Status(status)) => one.status == *status,
            // Without a host, or without such a cluster.
            (None, ClaimedResult::Cluster(_)) => [503, 404].contains(&one.status),
        }
    };
    let mut counts = vec![0_u64; results.len()];
    let mut is_ambiguous = false;
    for one in seen {
        let fitting: Vec<usize> = (0..results.len())
            .filter(|at| fits(one, &results[*at]))
            .collect();
        match fitting.as_slice() {
            [] => {
                let what = format!("{case}: {:?} {}", one.endpoint, one.status);
                found.differences.push(what);
                return;
            }
            [only] => counts[*only] += 1,
            _ => is_ambiguous = true,
        }
    }
    for ((part, _), count) in results.iter().zip(counts).filter(|_| !is_ambiguous) {
        let predicted = PredictedFraction {
            kind: TestKind::Route,
            what: format!("{case}, {:?}", part.result),
            fraction: part.part,
            error: if part.part < 1.0 { ROUNDING } else { 0.0 },
        };
        found.compare(predicted, count, seen.len() as u64);
    }
}

/// The addresses of a cluster and its members.
fn addresses(scenario: &DifferentialScenario, name: &str) -> BTreeSet<String> {
    let own = format!("~{name}");
    let mut found = BTreeSet::new();
    let mut clusters = scenario.clusters.iter();
    let Some(cluster) = clusters.find(|cluster| cluster["name"] == own.as_str()) else {
        return found;
    };
    let groups = cluster
        .pointer("/load_assignment/endpoints")
        .and_then(Value::as_array);
    let hosts = groups
        .into_iter()
        .flatten()
        .filter_map(|group| group["lb_endpoints"].as_array());
    found.extend(hosts.flatten().filter_map(address));
    let members = cluster
        .pointer("/cluster_type/typed_config/clusters")
        .and_then(Value::as_array);
    for member in members.into_iter().flatten() {
        let name = member
            .as_str()
            .or(member["name"].as_str())
            .unwrap_or_default();
        found.extend(addresses(scenario, name.trim_start_matches('~')));
    }
    found
}

/// The results that a text claims; `None` if a result is unknown, or none that requests show.
fn claimed(text: &str) -> Option<Vec<ClaimedPart>> {
    let text = text.split_once(", but ").map_or(text, |(text, _)| text);
    let mut found: Vec<ClaimedPart> = Vec::new();
    for alternative in text.split("; ") {
        let (part, text) = match alternative.split_once(" %: ") {
            Some((part, text)) => (part.parse::<f64>().ok()? / 100.0, text),
            None => (1.0, alternative),
        };
        for (share, result) in results(text)? {
            let share = part * share;
            match found.iter_mut().find(|known| known.result == result) {
                Some(known) => known.part += share,
                None => found.push(ClaimedPart {
                    part: share,
                    result,
                }),
            }
        }
    }
    Some(found)
}

fn results(text: &str) -> Option<Vec<(f64, ClaimedResult)>> {
    if text == "no route (404)" {
        return Some(vec![(1.0, ClaimedResult::Status(404))]);
    }
    for words in ["direct response ", "redirect ", "refused with "] {
        if let Some(status) = text.strip_prefix(words) {
            return Some(vec![(1.0, ClaimedResult::Status(status.parse().ok()?))]);
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|at| words[*at] == "cluster") {
        let name = words.get(at + 1)?.trim_end_matches(',').to_owned();
        let share = match words[..at] {
            [.., percent, "%"] => percent.parse::<f64>().ok()? / 100.0,
            [.., "no"] => return None,
            _ => 1.0,
        };
        found.push((share, ClaimedResult::Cluster(name)));
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: f64, result: ClaimedResult) -> ClaimedPart {
        ClaimedPart { part, result }
    }

    #[test]
    fn texts_name_results_with_their_parts() {
        let cluster = |name: &str| ClaimedResult::Cluster(name.into());
        assert_eq!(claimed("cluster a"), Some(vec![part(1.0, cluster("a"))]));
        assert_eq!(
            claimed("25 % cluster a stage=prod, 75 % cluster b"),
            Some(vec![part(0.25, cluster("a")), part(0.75, cluster("b"))])
        );
        assert_eq!(
            claimed(
                "50 %: direct response 204; 50 %: 50 % cluster a, 50 % cluster a, but another rewrite"
            ),
            Some(vec![
                part(0.5, ClaimedResult::Status(204)),
                part(0.5, cluster("a"))
            ])
        );
        assert_eq!(
            claimed("no route (404)"),
            Some(vec![part(1.0, ClaimedResult::Status(404))])
        );
        assert_eq!(claimed("no cluster"), None);
        assert_eq!(claimed("unknown, because of matcher"), None);
    }
}
