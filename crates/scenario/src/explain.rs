//! The explanation of a figure, with its places in the imported text.

use spillgate_codec::import::TextPosition;
use spillgate_core::{
    model::{Cluster, ClusterKind, PanicThreshold, PlainCluster},
    shares::Share,
    snapshot::ClusterId,
    why::{Subject, Why, explain_member_share, why_host, why_linearized, why_priority},
};
use spillgate_explain::{Notation, WhyText};

use super::{
    ClusterPlaces, EditedScenario, HostAt, ImportOrigin, PageFigure, PriorityAt, ScenarioOutcome,
    fixed, percent,
};

/// Shares of hosts whose difference is not shown.
const EQUAL_SHARES: f64 = 0.05;

/// The most groups of hosts that the share of a locality lists and explains.
const MOST_GROUPS: usize = 4;

/// A figure, its value, and the figures that it follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplanationNode {
    /// `load(P1)`.
    pub label: String,
    /// `30 %`.
    pub value: String,
    /// The formula with its values.
    pub formula: String,
    /// The place in the imported text that configures it.
    pub place: Option<TextPlace>,
    /// The figures in the formula.
    pub children: Vec<ExplanationNode>,
}

/// A place in the imported text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPlace {
    /// Its start.
    pub position: TextPosition,
    /// The last line, if it spans several values.
    pub last_line: Option<u32>,
}

/// Explains a figure; `None` if the result does not contain it.
#[must_use]
pub fn explain(
    scenario: &EditedScenario,
    outcome: &ScenarioOutcome,
    figure: PageFigure,
) -> Option<ExplanationNode> {
    match figure {
        PageFigure::Zone(at, zone) => explain_zone(scenario, outcome, at, zone),
        figure => explain_derived(scenario, outcome, figure),
    }
}

/// Explains a figure that the engine derives: all but shares of localities, which are sums. `None` also
/// for those.
#[must_use]
pub fn explain_derived(
    scenario: &EditedScenario,
    outcome: &ScenarioOutcome,
    figure: PageFigure,
) -> Option<ExplanationNode> {
    let ids: Vec<ClusterId> = outcome.snapshot.clusters().map(|(id, _)| id).collect();
    let root = *ids.get(scenario.root())?;
    let why = match figure {
        PageFigure::Priority(at) | PageFigure::Availability(at) | PageFigure::Panic(at) => {
            let row = outcome.priority(at)?;
            if scenario.aggregate(scenario.root()).is_some() {
                why_linearized(&outcome.snapshot, root, row.place)
            } else {
                why_priority(&outcome.snapshot, root, at.priority)
            }
        }
        PageFigure::Zone(..) => return None,
        PageFigure::Cluster(at) => explain_member_share(&outcome.snapshot, root, *ids.get(at)?),
        PageFigure::Host(at) => {
            scenario.priority(at.priority)?.endpoints.get(at.host)?;
            let share = Share {
                owner: *ids.get(at.priority.cluster)?,
                priority: at.priority.priority,
                host: at.host,
                share: outcome.host_share(at),
            };
            why_host(&outcome.snapshot, root, &share)
        }
    };
    let words = WhyText {
        snapshot: &outcome.snapshot,
        cluster: root,
        notation: Notation::Typeset,
    };
    let places = FigurePlaces { scenario };
    let why = why?;
    let part = match figure {
        PageFigure::Availability(_) => {
            part(&why, |subject| matches!(subject, Subject::Availability(_)))
        }
        PageFigure::Panic(_) => part(&why, |subject| matches!(subject, Subject::Panic { .. })),
        _ => None,
    };
    // In total panic the load does not depend on the availability: then the load is explained.
    let why = part.unwrap_or(&why);
    Some(ExplanationNode::new(&words, why, &|subject| {
        places.of(subject)
    }))
}

/// The share of a locality: the sum of the shares of its hosts, of which equal ones are explained once.
fn explain_zone(
    scenario: &EditedScenario,
    outcome: &ScenarioOutcome,
    at: PriorityAt,
    zone: usize,
) -> Option<ExplanationNode> {
    let row = outcome.priority(at)?;
    let report = row.localities.get(zone)?;
    let mut groups: Vec<(usize, f64, usize)> = Vec::new();
    for &host in &report.hosts {
        let share = row.hosts.get(host).copied().unwrap_or(0.0);
        let equal = |group: &&mut (usize, f64, usize)| (group.1 - share).abs() < EQUAL_SHARES;
        match groups.iter_mut().find(equal) {
            Some(group) => group.2 += 1,
            None => groups.push((host, share, 1)),
        }
    }
    let terms = groups.iter().take(MOST_GROUPS);
    let terms: Vec<String> = terms
        .map(|(_, share, hosts)| format!("{hosts} \u{d7} {}", fixed(*share)))
        .collect();
    let rest = if groups.len() > MOST_GROUPS {
        " + \u{2026}"
    } else {
        ""
    };
    let serving = groups.iter().filter(|group| group.1 > 0.0);
    let children = serving.take(MOST_GROUPS).filter_map(|&(host, ..)| {
        let host = PageFigure::Host(HostAt { priority: at, host });
        explain_derived(scenario, outcome, host)
    });
    groups.first()?;
    Some(ExplanationNode {
        label: format!("share({} of {})", report.title(), row.name),
        value: percent(report.share),
        formula: format!("hosts \u{d7} share of each: {}{rest}", terms.join(" + ")),
        place: None,
        children: children.collect(),
    })
}

/// The first figure of a kind in a derivation.
fn part(why: &Why, is: fn(Subject) -> bool) -> Option<&Why> {
    if is(why.subject) {
        Some(why)
    } else {
        why.causes.iter().find_map(|cause| part(cause, is))
    }
}

impl ExplanationNode {
    /// A derivation in words. `place` returns the place that configures a figure.
    #[must_use]
    pub fn new(
        words: &WhyText<'_>,
        why: &Why,
        place: &dyn Fn(Subject) -> Option<TextPlace>,
    ) -> Self {
        let causes = why.causes.iter();
        Self {
            label: words.label(why.subject),
            value: words.value(why.value),
            formula: words.formula(&why.formula),
            place: place(why.subject),
            children: causes.map(|cause| Self::new(words, cause, place)).collect(),
        }
    }
}

/// The places of the figures of a scenario.
struct FigurePlaces<'a> {
    scenario: &'a EditedScenario,
}

impl FigurePlaces<'_> {
    /// The place that configures a figure, unless an edit changed it.
    fn of(&self, subject: Subject) -> Option<TextPlace> {
        let origin = self.scenario.origin.as_deref()?;
        let at = |position: Option<TextPosition>| {
            position.map(|position| TextPlace {
                position,
                last_line: None,
            })
        };
        match subject {
            Subject::OverprovisioningFactor(id) => {
                let same = self.agrees(origin, id, |c| plain(c).map(|p| p.overprovisioning_factor));
                let places = self.places(origin, id)?;
                same.then(|| at(places.overprovisioning_factor)).flatten()
            }
            Subject::PanicThreshold(id) => {
                let same = self.agrees(origin, id, threshold);
                let places = self.places(origin, id)?;
                same.then(|| at(places.panic_threshold)).flatten()
            }
            Subject::Healthy(priority) | Subject::Degraded(priority) | Subject::Hosts(priority) => {
                let same = self.agrees(origin, priority.cluster, |c| {
                    plain(c)?.priorities.get(priority.priority)
                });
                let hosts = self
                    .places(origin, priority.cluster)?
                    .priorities
                    .get(priority.priority)?;
                let first = hosts.iter().map(|host| host.endpoint).min()?;
                let last = hosts
                    .iter()
                    .map(|host| host.health_status.unwrap_or(host.endpoint).line)
                    .max()?;
                same.then_some(TextPlace {
                    position: first,
                    last_line: (last > first.line).then_some(last),
                })
            }
            Subject::Weight(host) | Subject::HostShare(host) => {
                let same = self.agrees(origin, host.cluster, |c| {
                    let endpoint = plain(c)?
                        .priorities
                        .get(host.priority)?
                        .endpoints
                        .get(host.host)?;
                    Some(endpoint.address.as_str())
                });
                let priority = self
                    .places(origin, host.cluster)?
                    .priorities
                    .get(host.priority)?;
                let place = priority.get(host.host)?;
                same.then(|| at(Some(place.endpoint))).flatten()
            }
            Subject::MemberShare { aggregate, .. } => at(self.places(origin, aggregate)?.members),
            _ => None,
        }
    }

    /// Whether the scenario still has the imported value.
    fn agrees<'s, T: PartialEq>(
        &'s self,
        origin: &'s ImportOrigin,
        id: ClusterId,
        read: impl Fn(&'s Cluster) -> Option<T>,
    ) -> bool {
        let now = self.scenario.clusters().get(id.index());
        let then = now.and_then(|now| origin.index_of(&now.name));
        match (now, then.and_then(|at| origin.clusters.get(at))) {
            (Some(now), Some(then)) => read(now) == read(then),
            _ => false,
        }
    }

    fn places<'o>(&self, origin: &'o ImportOrigin, id: ClusterId) -> Option<&'o ClusterPlaces> {
        let at = origin.index_of(self.scenario.name(id.index()))?;
        origin.places.get(at)
    }
}

fn plain(cluster: &Cluster) -> Option<&PlainCluster> {
    match &cluster.kind {
        ClusterKind::Plain(plain) => Some(plain),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => None,
    }
}

fn threshold(cluster: &Cluster) -> Option<PanicThreshold> {
    Some(match &cluster.kind {
        ClusterKind::Plain(plain) => plain.panic_threshold,
        ClusterKind::Aggregate(aggregate) => aggregate.panic_threshold,
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ScenarioEdit, apply, import_of, preset, priority_at, select};
    use super::*;

    const P0: PriorityAt = PriorityAt {
        cluster: 0,
        priority: 0,
    };

    fn find<'a>(node: &'a ExplanationNode, label: &str) -> Option<&'a ExplanationNode> {
        if node.label == label {
            return Some(node);
        }
        node.children.iter().find_map(|child| find(child, label))
    }

    #[test]
    fn every_figure_of_every_preset_can_be_explained() {
        for entry in super::super::PRESETS {
            let scenario = preset(entry.id).unwrap();
            let outcome = ScenarioOutcome::of(&scenario);
            for row in outcome.priorities() {
                let node = explain(
                    &scenario,
                    &outcome,
                    PageFigure::Priority(priority_at(row.row.at)),
                )
                .unwrap();
                assert_eq!(node.value, percent(f64::from(row.row.load())));
                assert!(!node.children.is_empty());
                for (figure, label) in [
                    (PageFigure::Availability as fn(_) -> _, "availability("),
                    (PageFigure::Panic, "panic mode("),
                ] {
                    let at = priority_at(row.row.at);
                    let part = explain(&scenario, &outcome, figure(at)).unwrap();
                    let total = row.panic == super::super::PanicMode::Total;
                    assert!(total || part.label.starts_with(label), "{}", part.label);
                }
                for (zone, report) in row.localities.iter().enumerate() {
                    let figure = PageFigure::Zone(priority_at(row.row.at), zone);
                    let node = explain(&scenario, &outcome, figure);
                    assert_eq!(node.is_some(), !report.hosts.is_empty());
                    let values = node.map(|node| (node.value, node.children.is_empty()));
                    if let Some((value, is_leaf)) = values {
                        assert_eq!(value, percent(report.share));
                        assert_eq!(is_leaf, report.share == 0.0);
                    }
                }
                for host in outcome.hosts(row) {
                    assert!(explain(&scenario, &outcome, PageFigure::Host(host.at)).is_some());
                }
            }
            for row in &outcome.clusters {
                let node = explain(&scenario, &outcome, PageFigure::Cluster(row.at)).unwrap();
                assert_eq!(node.value, percent(f64::from(row.load)));
            }
        }
    }

    #[test]
    fn a_missing_figure_has_no_explanation() {
        let scenario = preset("shop").unwrap();
        let outcome = ScenarioOutcome::of(&scenario);
        let gone = PriorityAt {
            cluster: 9,
            priority: 9,
        };
        assert_eq!(
            explain(&scenario, &outcome, PageFigure::Priority(gone)),
            None
        );
        assert_eq!(explain(&scenario, &outcome, PageFigure::Cluster(9)), None);
        let host = HostAt {
            priority: P0,
            host: 99,
        };
        assert_eq!(explain(&scenario, &outcome, PageFigure::Host(host)), None);
    }

    #[test]
    fn leaves_point_at_the_text_until_an_edit_changes_them() {
        let text = "clusters:\n- name: shop\n  load_assignment:\n    cluster_name: shop\n    policy:\n      \
                    overprovisioning_factor: 150\n    endpoints:\n    - lb_endpoints:\n      \
                    - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}\n";
        let text = format!("static_resources:\n  {}", text.replace('\n', "\n  "));
        let imported = import_of(&text).imported.unwrap();
        let scenario = select(&imported, 0).unwrap();
        let place = |scenario: &EditedScenario| {
            let outcome = ScenarioOutcome::of(scenario);
            let node = explain(scenario, &outcome, PageFigure::Priority(P0)).unwrap();
            find(&node, "overprovisioning factor").unwrap().place
        };
        assert_eq!(place(&scenario).unwrap().position.line, 7);
        let edited = apply(&scenario, &ScenarioEdit::Factor(0, 160)).unwrap();
        assert_eq!(place(&edited), None);
    }
}
