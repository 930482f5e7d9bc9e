//! The engine's explanation of a figure, with labels to read and places to look at.

use spillgate_codec::import::TextPosition;
use spillgate_core::{
    model::{Cluster, ClusterKind, PanicThreshold, PlainCluster},
    shares::Share,
    snapshot::ClusterId,
    why::{LevelRef, Quantity, Subject, Why, why_cluster, why_host, why_level, why_line_level},
};

use super::{ClusterPlaces, Figure, LevelAt, Origin, Outcome, Scenario, percent};

/// A figure, what it comes to, and what it follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// `load(P1)`.
    pub label: String,
    /// `30 %`.
    pub value: String,
    /// The rule with its values.
    pub formula: String,
    /// Where the configuration says so.
    pub place: Option<Place>,
    /// The figures that the rule uses.
    pub children: Vec<Node>,
}

/// A place in the imported text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub position: TextPosition,
    /// The last line of what stands there, where it spans several values.
    pub last_line: Option<u32>,
}

/// Why a figure is what it is; `None` when the figure is no part of the result.
#[must_use]
pub fn explain(scenario: &Scenario, outcome: &Outcome, figure: Figure) -> Option<Node> {
    let ids: Vec<ClusterId> = outcome.snapshot.clusters().map(|(id, _)| id).collect();
    let root = *ids.get(scenario.root())?;
    let why = match figure {
        Figure::Level(at) => {
            let row = outcome.level(at)?;
            if scenario.aggregate(scenario.root()).is_some() {
                why_line_level(&outcome.snapshot, root, row.line)
            } else {
                why_level(&outcome.snapshot, root, at.priority)
            }
        }
        Figure::Cluster(at) => why_cluster(&outcome.snapshot, root, *ids.get(at)?),
        Figure::Host(at) => {
            scenario.level(at.level)?.endpoints.get(at.host)?;
            let share = Share {
                owner: *ids.get(at.level.cluster)?,
                priority: at.level.priority,
                host: at.host,
                share: outcome.host_share(at),
            };
            why_host(&outcome.snapshot, root, &share)
        }
    };
    Some(Explainer { scenario, outcome }.node(&why?, false))
}

struct Explainer<'a> {
    scenario: &'a Scenario,
    outcome: &'a Outcome,
}

impl Explainer<'_> {
    /// `in_line`: below the load that an aggregate gives a level, where panic is the aggregate's.
    fn node(&self, why: &Why, in_line: bool) -> Node {
        let in_line = in_line || matches!(why.subject, Subject::LineLoad { .. });
        let mut label = self.label(why.subject);
        if in_line && matches!(why.subject, Subject::Panic(_)) {
            let aggregate = self.scenario.name(self.scenario.root());
            label = format!("{label} in {aggregate}");
        }
        Node {
            label,
            value: value(why.value),
            formula: typeset(&why.formula),
            place: self.place(why.subject),
            children: why
                .causes
                .iter()
                .map(|cause| self.node(cause, in_line))
                .collect(),
        }
    }

    fn label(&self, subject: Subject) -> String {
        let level = |level: LevelRef| {
            self.scenario.level_name(LevelAt {
                cluster: level.cluster.index(),
                priority: level.priority,
            })
        };
        let cluster = |id: ClusterId| self.scenario.name(id.index()).to_owned();
        match subject {
            Subject::ClusterShare { member, .. } => format!("share({})", cluster(member)),
            Subject::LineLoad { line, .. } => {
                let row = self.outcome.levels.get(line);
                format!("load({})", row.map_or("?", |row| row.name.as_str()))
            }
            Subject::HostShare {
                cluster,
                priority,
                host,
            } => {
                let at = LevelAt {
                    cluster: cluster.index(),
                    priority,
                };
                let endpoint = self.scenario.level(at).and_then(|l| l.endpoints.get(host));
                format!("share({})", endpoint.map_or("?", |e| e.address.as_str()))
            }
            Subject::Sharing { .. } => "hosts that share it".into(),
            Subject::Load(at) => format!("load({})", level(at)),
            Subject::HealthyLoad(at) => format!("healthy load({})", level(at)),
            Subject::DegradedLoad(at) => format!("degraded load({})", level(at)),
            Subject::Availability(at) => format!("availability({})", level(at)),
            Subject::DegradedAvailability(at) => format!("degraded availability({})", level(at)),
            Subject::Usable(at) => format!("usable({})", level(at)),
            Subject::Panic(at) => format!("panic({})", level(at)),
            Subject::Healthy(at) => format!("healthy hosts({})", level(at)),
            Subject::Degraded(at) => format!("degraded hosts({})", level(at)),
            Subject::Hosts(at) => format!("hosts({})", level(at)),
            Subject::TotalAvailability(_) => "total availability".into(),
            Subject::OverprovisioningFactor(_) => "overprovisioning factor".into(),
            Subject::PanicThreshold(_) => "panic threshold".into(),
            Subject::Weight { .. } => "weight".into(),
            _ => "figure".into(),
        }
    }

    /// Where the text says what a leaf says, as long as no edit has overruled the text.
    fn place(&self, subject: Subject) -> Option<Place> {
        let origin = self.scenario.origin.as_deref()?;
        let at = |position: Option<TextPosition>| {
            position.map(|position| Place {
                position,
                last_line: None,
            })
        };
        match subject {
            Subject::OverprovisioningFactor(id) => {
                let same = self.agrees(origin, id, |c| plain(c).map(|p| p.overprovisioning_factor));
                let places = places(origin, id)?;
                same.then(|| at(places.overprovisioning_factor)).flatten()
            }
            Subject::PanicThreshold(id) => {
                let same = self.agrees(origin, id, threshold);
                let places = places(origin, id)?;
                same.then(|| at(places.panic_threshold)).flatten()
            }
            Subject::Healthy(level) | Subject::Degraded(level) | Subject::Hosts(level) => {
                let same = self.agrees(origin, level.cluster, |c| {
                    plain(c)?.levels.get(level.priority)
                });
                let hosts = places(origin, level.cluster)?.levels.get(level.priority)?;
                let first = hosts.iter().map(|host| host.endpoint).min()?;
                let last = hosts
                    .iter()
                    .map(|host| host.health_status.unwrap_or(host.endpoint).line)
                    .max()?;
                same.then_some(Place {
                    position: first,
                    last_line: (last > first.line).then_some(last),
                })
            }
            Subject::Weight {
                cluster,
                priority,
                host,
            }
            | Subject::HostShare {
                cluster,
                priority,
                host,
            } => {
                let same = self.agrees(origin, cluster, |c| {
                    let endpoint = plain(c)?.levels.get(priority)?.endpoints.get(host)?;
                    Some(endpoint.address.as_str())
                });
                let level = places(origin, cluster)?.levels.get(priority)?;
                let place = level.get(host)?;
                same.then(|| at(Some(place.endpoint))).flatten()
            }
            Subject::ClusterShare { aggregate, .. } => at(places(origin, aggregate)?.members),
            _ => None,
        }
    }

    /// Whether the scenario still says what the text said.
    fn agrees<'s, T: PartialEq>(
        &'s self,
        origin: &'s Origin,
        id: ClusterId,
        read: impl Fn(&'s Cluster) -> Option<T>,
    ) -> bool {
        let now = self.scenario.clusters().get(id.index());
        let then = origin.clusters.get(id.index());
        match (now, then) {
            (Some(now), Some(then)) => read(now) == read(then),
            _ => false,
        }
    }
}

fn places(origin: &Origin, id: ClusterId) -> Option<&ClusterPlaces> {
    origin.places.get(id.index())
}

fn plain(cluster: &Cluster) -> Option<&PlainCluster> {
    match &cluster.kind {
        ClusterKind::Plain(plain) => Some(plain),
        ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => None,
    }
}

fn threshold(cluster: &Cluster) -> Option<PanicThreshold> {
    Some(match &cluster.kind {
        ClusterKind::Plain(plain) => plain.panic_threshold,
        ClusterKind::Aggregate(aggregate) => aggregate.panic_threshold,
        ClusterKind::OriginalDst(_) => return None,
    })
}

fn value(quantity: Quantity) -> String {
    match quantity {
        Quantity::Percent(share) => percent(share),
        Quantity::Number(number) => number.to_string(),
        Quantity::Of { part, whole } => format!("{part}\u{a0}/\u{a0}{whole}"),
        Quantity::Flag(true) => "yes".into(),
        Quantity::Flag(false) => "no".into(),
    }
}

/// The engine writes formulas in ASCII; a page can do better.
fn typeset(formula: &str) -> String {
    let mut out = String::with_capacity(formula.len());
    // Brackets that are open, and whether `floor` opened them.
    let mut open = Vec::new();
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("floor(") {
            out.push('\u{230a}');
            open.push(true);
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix(" x ") {
            out.push_str(" \u{d7} ");
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix(" / ") {
            out.push_str(" \u{f7} ");
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix(" %") {
            out.push_str("\u{a0}%");
            rest = after;
            continue;
        }
        match c {
            '(' => {
                open.push(false);
                out.push(c);
            }
            ')' if open.pop() == Some(true) => out.push('\u{230b}'),
            c => out.push(c),
        }
        rest = rest.strip_prefix(c).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, apply, import_of, preset, select};
    use super::*;

    use super::super::HostAt;

    const P0: LevelAt = LevelAt {
        cluster: 0,
        priority: 0,
    };

    fn find<'a>(node: &'a Node, label: &str) -> Option<&'a Node> {
        if node.label == label {
            return Some(node);
        }
        node.children.iter().find_map(|child| find(child, label))
    }

    #[test]
    fn formulas_are_typeset() {
        assert_eq!(
            typeset("min(100, floor(140 x 5 / (10)))"),
            "min(100, ⌊140 × 5 ÷ (10)⌋)"
        );
        assert_eq!(typeset("a) b"), "a) b");
    }

    #[test]
    fn every_figure_of_every_preset_can_be_explained() {
        for entry in super::super::PRESETS {
            let scenario = preset(entry.id).unwrap();
            let outcome = Outcome::of(&scenario);
            for row in &outcome.levels {
                let node = explain(&scenario, &outcome, Figure::Level(row.at)).unwrap();
                assert_eq!(node.value, percent(f64::from(row.load)));
                assert!(!node.children.is_empty());
                for host in outcome.hosts(&scenario, row.at) {
                    assert!(explain(&scenario, &outcome, Figure::Host(host.at)).is_some());
                }
            }
            for row in &outcome.clusters {
                let node = explain(&scenario, &outcome, Figure::Cluster(row.at)).unwrap();
                assert_eq!(node.value, percent(f64::from(row.load)));
            }
        }
    }

    #[test]
    fn a_figure_that_is_gone_has_no_explanation() {
        let scenario = preset("shop").unwrap();
        let outcome = Outcome::of(&scenario);
        let gone = LevelAt {
            cluster: 9,
            priority: 9,
        };
        assert_eq!(explain(&scenario, &outcome, Figure::Level(gone)), None);
        assert_eq!(explain(&scenario, &outcome, Figure::Cluster(9)), None);
        let host = HostAt {
            level: P0,
            host: 99,
        };
        assert_eq!(explain(&scenario, &outcome, Figure::Host(host)), None);
    }

    #[test]
    fn leaves_point_at_the_text_until_an_edit_overrules_it() {
        let text = "clusters:\n- name: shop\n  load_assignment:\n    cluster_name: shop\n    policy:\n      \
                    overprovisioning_factor: 150\n    endpoints:\n    - lb_endpoints:\n      \
                    - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}\n";
        let text = format!("static_resources:\n  {}", text.replace('\n', "\n  "));
        let imported = import_of(&text).imported.unwrap();
        let scenario = select(&imported, 0).unwrap();
        let place = |scenario: &Scenario| {
            let outcome = Outcome::of(scenario);
            let node = explain(scenario, &outcome, Figure::Level(P0)).unwrap();
            find(&node, "overprovisioning factor").unwrap().place
        };
        assert_eq!(place(&scenario).unwrap().position.line, 7);
        let edited = apply(&scenario, &Edit::Factor(0, 160)).unwrap();
        assert_eq!(place(&edited), None);
    }
}
