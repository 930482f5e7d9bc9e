//! The rules behind a load, line by line.

use spillgate_config::{Position, envoy::Places};
use spillgate_core::{
    snapshot::{ClusterId, Kind, Snapshot},
    trace::Ground,
    why::{LevelRef, Quantity, Subject, Why},
};

/// One line of a derivation.
#[derive(Debug)]
pub(super) struct Line {
    /// How deep it stands below the figure that is explained.
    pub(super) depth: usize,
    /// The figure, its value, and the rule with its values put in.
    pub(super) text: String,
    /// Where the configuration says so, and whether it leaves it to the default there.
    pub(super) at: Option<(Position, bool)>,
}

/// A figure and everything that it follows from.
pub(super) fn lines(snapshot: &Snapshot, places: &Places<'_>, why: &Why) -> Vec<Line> {
    let mut lines = Vec::new();
    add(snapshot, places, why, 0, &mut lines);
    lines
}

fn add(snapshot: &Snapshot, places: &Places<'_>, why: &Why, depth: usize, to: &mut Vec<Line>) {
    let formula = match why.formula.as_str() {
        "" => String::new(),
        formula => format!(": {formula}"),
    };
    to.push(Line {
        depth,
        text: format!(
            "{} = {}{formula}",
            name(snapshot, why.subject),
            value(why.value)
        ),
        at: setting(why.subject).and_then(|(cluster, ground)| {
            let at = places.of(snapshot, ground)?;
            let begin = places.of(snapshot, Ground::Cluster(cluster));
            Some((at, begin == Some(at)))
        }),
    });
    for cause in &why.causes {
        add(snapshot, places, cause, depth + 1, to);
    }
}

fn name(snapshot: &Snapshot, subject: Subject) -> String {
    let level = |at: LevelRef| {
        let cluster = snapshot.cluster(at.cluster);
        format!(
            "{} P{}",
            cluster.map_or("", |c| c.name.as_str()),
            at.priority
        )
    };
    match subject {
        Subject::LineLoad { aggregate, line } => in_line(snapshot, aggregate, line),
        Subject::Load(at) => format!("load of {}", level(at)),
        Subject::HealthyLoad(at) => format!("load of the healthy hosts of {}", level(at)),
        Subject::DegradedLoad(at) => format!("load of the degraded hosts of {}", level(at)),
        Subject::Availability(at) => format!("availability of {}", level(at)),
        Subject::DegradedAvailability(at) => format!("degraded availability of {}", level(at)),
        Subject::Usable(at) => format!("usable part of {}", level(at)),
        Subject::Panic(at) => format!("panic in {}", level(at)),
        Subject::Healthy(at) => format!("healthy hosts of {}", level(at)),
        Subject::Degraded(at) => format!("degraded hosts of {}", level(at)),
        Subject::Hosts(at) => format!("hosts of {}", level(at)),
        Subject::TotalAvailability(_) => "total availability".into(),
        Subject::OverprovisioningFactor(_) => "overprovisioning factor".into(),
        Subject::PanicThreshold(_) => "panic threshold".into(),
        // Shares and weights of single hosts, which no level's load rests on.
        _ => "figure".into(),
    }
}

/// The load of a level as an aggregate sees it.
fn in_line(snapshot: &Snapshot, aggregate: ClusterId, line: usize) -> String {
    let cluster = |id| snapshot.cluster(id).map_or("", |c| c.name.as_str());
    let level = match snapshot.cluster(aggregate).map(|found| &found.kind) {
        Some(Kind::Aggregate(found)) => found.line.levels.get(line),
        _ => None,
    };
    let level = level.map(|l| format!("{} P{}", cluster(l.cluster), l.priority));
    let level = level.unwrap_or_default();
    format!("load of {level} in {}", cluster(aggregate))
}

fn value(value: Quantity) -> String {
    match value {
        Quantity::Percent(percent) => format!("{percent} %"),
        Quantity::Number(number) => number.to_string(),
        Quantity::Of { part, whole } => format!("{part} of {whole}"),
        Quantity::Flag(true) => "yes".into(),
        Quantity::Flag(false) => "no".into(),
    }
}

/// The setting that a figure is, and its cluster.
const fn setting(subject: Subject) -> Option<(ClusterId, Ground)> {
    match subject {
        Subject::OverprovisioningFactor(cluster) => {
            Some((cluster, Ground::OverprovisioningFactor(cluster)))
        }
        Subject::PanicThreshold(cluster) => Some((cluster, Ground::PanicThreshold(cluster))),
        _ => None,
    }
}
