//! The loads as rows of tables, and the geometry of their bars.

use spillgate_explain::format::{count, fixed};
use spillgate_sim::fleet::CaseReport;

use super::{
    FleetInput, FleetOutcome, FleetStage,
    text::{known, money, place_name},
};

/// The host classes that are listed.
pub const LISTED_CLASSES: usize = 20;

/// A load with its part of the capacity.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LoadFigure {
    /// The requests per second.
    pub rps: f64,
    /// The load as a ratio of the capacity; `None` if it is not known.
    pub utilization: Option<f64>,
}

/// A zone, a priority or some hosts with their load now, and their highest load over all cases.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadRow {
    /// Its name.
    pub name: String,
    /// Its further cells, before the loads.
    pub cells: Vec<String>,
    /// The load with all zones.
    pub now: LoadFigure,
    /// The highest load.
    pub most: LoadFigure,
    /// When it has the highest load: `if a fails`; empty for the present state.
    pub condition: String,
}

/// The traffic from a zone to a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrafficLine {
    /// The zone of the callers.
    pub from: String,
    /// The zone of the hosts.
    pub to: String,
    /// Requests per second, GB per hour, cost per hour: those that are known.
    pub cells: Vec<String>,
}

/// The parts of a bar, in percent of its width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarShape {
    /// The end of the load now.
    pub now: f64,
    /// The end of the highest load.
    pub most: f64,
    /// The place of the capacity; `None` if it is not known.
    pub capacity: Option<f64>,
}

impl LoadFigure {
    const fn new(rps: f64, utilization: Option<f64>) -> Self {
        Self { rps, utilization }
    }

    /// What bars and the order of rows show: the utilization, or the load without a capacity.
    fn measure(&self) -> f64 {
        self.utilization.unwrap_or(self.rps)
    }
}

/// The bar of a row in a table with these rows. All bars of a table have the same scale.
#[must_use]
pub fn bar_shape(row: &LoadRow, rows: &[LoadRow], has_capacity: bool) -> BarShape {
    let largest = rows.iter().map(|row| row.most.measure());
    let floor = if has_capacity { 1.0 } else { 0.0 };
    let full = largest.fold(floor, f64::max);
    let percent = |measure: f64| {
        if full > 0.0 {
            (100.0 * measure / full).clamp(0.0, 100.0)
        } else {
            0.0
        }
    };
    BarShape {
        now: percent(row.now.measure()),
        most: percent(row.most.measure()),
        capacity: has_capacity.then(|| percent(1.0)),
    }
}

/// Callers, requests, usable hosts and loads of each zone, the worst first.
#[must_use]
pub fn zone_rows(stage: &FleetStage, outcome: &FleetOutcome, input: &FleetInput) -> Vec<LoadRow> {
    let report = &outcome.report;
    let mut rows = Vec::new();
    for (at, zone) in report.zones.iter().enumerate() {
        let own = stage
            .zones
            .iter()
            .filter(|of| of.locality.region == zone.region && of.locality.zone == zone.zone);
        let (callers, sent) = own.fold((0, 0.0), |(callers, sent), of| {
            let of = input.zone(&of.key);
            (callers + of.callers as usize, sent + of.requests())
        });
        let load = |case: &CaseReport| {
            let of = case.zones.get(at)?;
            Some(LoadFigure::new(of.rps, of.utilization()))
        };
        let usable = report.present().and_then(|case| case.zones.get(at));
        let usable = usable.map_or(0, |of| of.usable);
        let cells = vec![count(callers), fixed(sent), count(usable)];
        rows.push(row(outcome, report.zone_name(at), cells, &load));
    }
    sorted(rows)
}

/// What each priority must be able to take, in the order of priorities.
#[must_use]
pub fn priority_rows(outcome: &FleetOutcome) -> Vec<LoadRow> {
    let needs = outcome.report.needs.iter();
    let rows = needs.map(|need| {
        let load = |case: &CaseReport| {
            let of = case.priorities.iter().find(|of| of.place == need.place)?;
            Some(LoadFigure::new(of.rps, of.utilization()))
        };
        let usable = need.demand.usable.map_or_else(|| "-".into(), count);
        let now = outcome.report.present().and_then(load);
        LoadRow {
            name: place_name(Some(&need.place)),
            cells: vec![usable],
            now: now.unwrap_or_default(),
            most: LoadFigure::new(need.demand.rps, need.demand.utilization()),
            condition: outcome.report.condition(need.case),
        }
    });
    rows.collect()
}

/// The hosts that only their addresses distinguish, with the load of each; the worst first.
#[must_use]
pub fn class_rows(outcome: &FleetOutcome) -> Vec<LoadRow> {
    let report = &outcome.report;
    let classes = report.classes.iter().enumerate();
    let rows = classes.map(|(at, class)| {
        let name = match class.hosts {
            1 => class.example.clone(),
            several => format!("{} hosts", count(several)),
        };
        let state = if class.relays {
            "zone ingress"
        } else {
            class.health.name()
        };
        let cells = vec![
            place_name(class.place.as_ref()),
            report.zone_name(class.zone),
            state.into(),
            class.weight.to_string(),
        ];
        let load = |case: &CaseReport| {
            let highest = case.classes.get(at)?.highest;
            Some(LoadFigure::new(
                highest,
                class.capacity.map(|capacity| highest / capacity),
            ))
        };
        row(outcome, name, cells, &load)
    });
    sorted(rows.collect())
}

/// The traffic with all zones, the largest first, and at the end that between zones.
#[must_use]
pub fn traffic_lines(outcome: &FleetOutcome) -> Vec<TrafficLine> {
    let report = &outcome.report;
    let Some(present) = report.present().filter(|_| report.zones.len() > 1) else {
        return Vec::new();
    };
    let mut flows = present.flows.clone();
    flows.sort_by(|a, b| b.rps.total_cmp(&a.rps));
    let cells = |rps, gb: Option<f64>, cost| {
        let mut cells = vec![fixed(rps)];
        if outcome.has_bytes {
            cells.push(known(gb));
        }
        if outcome.has_cost {
            cells.push(money(cost));
        }
        cells
    };
    let lines = flows.iter().map(|flow| TrafficLine {
        from: report.zone_name(flow.from),
        to: report.zone_name(flow.to),
        cells: cells(flow.rps, flow.gb_per_hour, flow.cost_per_hour),
    });
    let sum = TrafficLine {
        from: "between zones".into(),
        to: String::new(),
        cells: cells(
            present.crossing_rps(),
            present.crossing_gb(),
            present.cost(),
        ),
    };
    lines.chain([sum]).collect()
}

/// A row with the first of the highest loads over all cases.
fn row(
    outcome: &FleetOutcome,
    name: String,
    cells: Vec<String>,
    load: &dyn Fn(&CaseReport) -> Option<LoadFigure>,
) -> LoadRow {
    let cases = outcome.report.cases.iter().enumerate();
    let mut most = (LoadFigure::default(), 0);
    for (at, case) in cases {
        if let Some(of) = load(case)
            && of.measure() > most.0.measure()
        {
            most = (of, at);
        }
    }
    let now = outcome.report.present().and_then(load);
    let now = now.unwrap_or_default();
    if most.1 == 0 {
        most.0 = now;
    }
    LoadRow {
        name,
        cells,
        now,
        most: most.0,
        condition: outcome.report.condition(most.1),
    }
}

/// The worst first; equal ones stay in order.
fn sorted(mut rows: Vec<LoadRow>) -> Vec<LoadRow> {
    rows.sort_by(|a, b| b.most.measure().total_cmp(&a.most.measure()));
    rows
}
