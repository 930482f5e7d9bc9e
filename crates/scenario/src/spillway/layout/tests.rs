//! The geometry, against the figures that it shows.

use spillgate_core::model::ClusterKind;
use spillgate_testkit::models::{Dice, Extent, model};

use super::*;
use crate::{
    EditedScenario, PRESETS, PriorityAt, PriorityShape, ResultSeverity, ScenarioEdit, apply, fixed,
    preset,
};

fn commands(path: &str) -> String {
    path.chars().filter(char::is_ascii_alphabetic).collect()
}

#[test]
fn all_shapes_are_inside_and_finite_at_both_sizes() {
    for entry in PRESETS {
        let mut scenario = preset(entry.id).unwrap();
        for _ in 0..12 {
            let outcome = ScenarioOutcome::of(&scenario);
            for size in [PageLayout::Wide, PageLayout::Narrow] {
                let figure = spillway(&outcome, &outcome.names(), size);
                assert_eq!(
                    figure.basins.last().unwrap().lines.end,
                    outcome.priorities().len()
                );
                for basin in &figure.basins {
                    assert!(basin.x >= 0.0 && basin.x + basin.width <= figure.width);
                    assert!(basin.y + basin.height <= figure.height);
                }
                let paths = figure.streams.iter().map(|stream| &stream.path);
                assert!(
                    paths
                        .clone()
                        .all(|p| !p.contains("NaN") && !p.contains("inf"))
                );
                assert!(
                    figure
                        .groups
                        .iter()
                        .all(|g| g.y + g.height <= figure.height)
                );
            }
            let last = *scenario.shown().last().unwrap();
            scenario = apply(&scenario, &ScenarioEdit::AddPriority(last)).unwrap();
        }
    }
}

#[test]
fn streams_are_as_thick_as_their_shares() {
    let figure = spillway(
        &ScenarioOutcome::of(&preset("documented").unwrap()),
        &ShortNames::default(),
        PageLayout::Wide,
    );
    let (top, bottom) = figure.entry;
    let unit = (bottom - top) / 100.0;
    // The band of P0 is at the bottom of the stream, below the 30 % of P1.
    let p0 = &figure.streams[0].path;
    assert!(
        p0.starts_with(&format!("M0.0 {}", fixed(top + 30.0 * unit))),
        "{p0}"
    );
    assert_eq!(figure.basins[0].filled, 0.7);
    assert_eq!(figure.basins[0].water.len(), 2, "one stripe per zone");
    assert!(figure.basins[2].dry);
    assert_eq!(figure.basins[2].word, Some("no traffic"));
    let edges: Vec<f64> = figure.basins.iter().map(|basin| basin.edge).collect();
    assert_eq!(edges, [0.7, 1.0, 1.0]);
    let loads: Vec<f64> = figure.basins.iter().map(|basin| basin.filled).collect();
    assert_eq!(loads, [0.7, 0.3, 0.0]);
}

#[test]
fn paths_can_morph() {
    let scenario = preset("documented").unwrap();
    let p0 = PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let other = apply(&scenario, &ScenarioEdit::HealthyCount(p0, 9)).unwrap();
    let (a, b) = (ScenarioOutcome::of(&scenario), ScenarioOutcome::of(&other));
    let (a, b) = (
        spillway(&a, &a.names(), PageLayout::Wide),
        spillway(&b, &b.names(), PageLayout::Wide),
    );
    for (a, b) in a.streams.iter().zip(&b.streams) {
        assert_eq!(commands(&a.path), commands(&b.path));
    }
    for (a, b) in a.basins.iter().zip(&b.basins) {
        assert_eq!(commands(&a.walls), commands(&b.walls));
        assert_eq!(commands(&a.pale.path), commands(&b.pale.path));
    }
}

#[test]
fn panic_mode_and_priorities_without_traffic_are_labeled() {
    let words = |id: &str| -> Vec<_> {
        let figure = spillway(
            &ScenarioOutcome::of(&preset(id).unwrap()),
            &ShortNames::default(),
            PageLayout::Wide,
        );
        figure.basins.iter().map(|basin| basin.word).collect()
    };
    assert_eq!(words("panic"), [Some("panic"); 3]);
    assert_eq!(
        words("no-panic"),
        [Some("503: no host"), Some("no traffic")]
    );
}

/// The numbers of a path.
fn numbers(path: &str) -> Vec<f64> {
    let words = path.split(|c: char| c.is_ascii_alphabetic() || c == ' ');
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The part of a basin below the first point of a path: water, or a wall.
fn height(basin: &PriorityShape, path: &str) -> f64 {
    (basin.y + basin.height - numbers(path)[1]) / basin.height * 100.0
}

/// The distance that rounding to decimals of the paths can make.
const ROUNDED: f64 = 0.2;

#[track_caller]
fn near(found: f64, expected: f64, context: &str) {
    assert!(
        (found - expected).abs() < ROUNDED,
        "{found} is not {expected}: {context}"
    );
}

/// Walls are availability, water is load, and only a full basin spills.
#[test]
fn the_picture_has_the_figures_of_random_models() {
    let (mut full, mut over) = (0, 0);
    for number in 0..400 {
        let clusters = model(&mut Dice::of(3, number), Extent::few(5)).into_clusters();
        for root in 0..clusters.len() {
            let is_composite = matches!(clusters[root].kind, ClusterKind::Composite(_));
            let Ok(scenario) = EditedScenario::new(clusters.clone(), root) else {
                continue;
            };
            let outcome = ScenarioOutcome::of(&scenario);
            let figure = spillway(&outcome, &outcome.names(), PageLayout::Wide);
            let severity = crate::Headline::of(&outcome).severity;
            let total = |row: &PriorityReport| row.panic == PanicMode::Total;
            if outcome.priorities().iter().any(total) {
                assert!(figure.spillovers.is_empty(), "{number}/{root}");
            }
            let later = |place: usize| {
                let mut rows = outcome.priorities().iter().skip(place + 1);
                rows.any(|row| row.row.healthy_load > 0)
            };
            for basin in &figure.basins {
                let [row] = &outcome.priorities()[basin.lines.clone()] else {
                    continue;
                };
                let context = format!("{number}/{root}: {:?}", row.row);
                let served = if basin.unserved { 0 } else { 1 };
                let healthy = f64::from(row.row.healthy_load * served);
                let load = f64::from(row.row.load() * served);
                for water in &basin.water {
                    near(height(basin, &water.path), healthy, &context);
                }
                near(height(basin, &basin.pale.path), load, &context);
                near(basin.filled * 100.0, load, &context);
                if row.panic != PanicMode::Off && row.row.load() > 0 {
                    near(basin.edge, 1.0, &context);
                    assert!(basin.panic && basin.over.is_none(), "{context}");
                    continue;
                }
                let available = f64::from(row.row.availability.healthy);
                near(height(basin, &basin.walls), available, &context);
                let degraded = f64::from(row.row.availability.degraded);
                let both = (available + degraded).min(100.0);
                near(height(basin, &basin.extension), both, &context);
                if basin.over.is_some() {
                    over += 1;
                    assert!(severity >= ResultSeverity::Overload, "{context}");
                    assert!(outcome.availability() < 100, "{context}");
                } else if later(row.place) && !basin.unserved && !is_composite {
                    full += 1;
                    assert!(healthy >= available, "not full, but spills: {context}");
                }
            }
        }
    }
    assert!(full > 50 && over > 5, "{full} {over}");
}
