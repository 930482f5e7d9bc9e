//! One basin: water, walls and labels.

use super::{
    super::{PanicMode, PriorityReport, overprovisioning, plural, text_width, whole},
    LoadShape, PriorityShape,
    fitting::fitting,
    measures::Measures,
    paths::{brim_line, broken_walls, extension, surface, whole_walls},
};

/// The labels of a basin with traffic but without usable hosts, of one in panic mode, and of one
/// without traffic. The first that fits is shown.
const NO_HOST: [&str; 3] = ["503: no host", "no host", "503"];
const PANIC: [&str; 1] = ["panic"];
const NO_TRAFFIC: [&str; 2] = ["no traffic", "none"];

/// Panic is in capitals, which are wider.
const CAPITALS: f64 = 1.4;

/// The least room between two captions.
pub(super) const CAPTION_GAP: f64 = 8.0;

/// The place of a basin.
pub(super) struct BasinPlace {
    /// The left wall.
    pub(super) x: f64,
    /// The distance of the walls.
    pub(super) width: f64,
    /// The brim.
    pub(super) y: f64,
    /// The width that its captions can have with the gaps to their neighbors.
    pub(super) slot: f64,
}

/// The basin of some priorities, usually one.
pub(super) fn basin(
    rows: &[PriorityReport],
    lines: &std::ops::Range<usize>,
    extent: BasinPlace,
    measures: &Measures,
) -> PriorityShape {
    let BasinPlace { x, width, y, slot } = extent;
    let height = measures.depth;
    let load: u32 = rows.iter().map(|row| row.row.load()).sum();
    let share: f64 = rows.iter().map(PriorityReport::share).sum();
    let dry = load == 0;
    let sum = |part: fn(&PriorityReport) -> u32| {
        let sum: u32 = rows.iter().map(part).sum();
        f64::from(sum.min(100)) / 100.0
    };
    let unserved = load > 0 && share < 0.05;
    // Requests that find no host leave the basin empty.
    let served = f64::from(u8::from(!unserved));
    let healthy = served * sum(|row| row.row.healthy_load);
    let degraded = served * sum(|row| row.row.degraded_load);
    let filled = (healthy + degraded).min(1.0);
    let panic = !dry && rows.iter().any(|row| row.panic != PanicMode::Off);
    let edge = if panic {
        1.0
    } else {
        sum(|row| row.row.availability.healthy)
    };
    let degraded_edge = if panic {
        1.0
    } else {
        sum(|row| {
            let both = row.row.availability;
            both.healthy.saturating_add(both.degraded)
        })
    };
    let over = !panic && (healthy > edge || filled > degraded_edge);
    let at = |part: f64| y + height * (1.0 - part);
    let walls = if panic {
        broken_walls(x, y, width, height)
    } else {
        whole_walls(x, at(edge), width, height * edge)
    };
    let mut from = x;
    let mut water: Vec<LoadShape> = Vec::new();
    for (zone, part) in stripes(rows) {
        water.push(LoadShape {
            title: zone,
            path: surface(from, width * part, at(healthy), at(0.0)),
        });
        from += width * part;
    }
    PriorityShape {
        lines: lines.clone(),
        color: rows.first().map_or(lines.start, |row| row.place),
        x,
        y,
        width,
        height,
        walls,
        extension: extension(x, width, at(degraded_edge), at(edge)),
        brim: brim_line(x, y, width),
        water,
        pale: LoadShape {
            title: String::new(),
            path: surface(x, width, at(filled), at(healthy)),
        },
        filled,
        edge,
        over: over.then(|| surface(x, width, at(filled), at(degraded_edge.min(filled)))),
        name: name(rows),
        load: whole(load),
        captions: captions(rows, slot - CAPTION_GAP, measures),
        word: match (unserved, panic, dry) {
            (true, ..) => word(&NO_HOST, slot, measures.word_font),
            (_, true, _) => word(&PANIC, slot, measures.word_font * CAPITALS),
            (.., true) => word(&NO_TRAFFIC, slot, measures.word_font),
            _ => None,
        },
        dry,
        panic,
        unserved,
    }
}

/// The localities of a priority, with their parts of its traffic, or without traffic of its hosts.
fn stripes(rows: &[PriorityReport]) -> Vec<(String, f64)> {
    let all = vec![(String::new(), 1.0)];
    let [row] = rows else {
        return all;
    };
    let zones = row.localities.iter().filter(|zone| !zone.hosts.is_empty());
    let (share, hosts) = (row.share(), row.hosts.len().max(1) as f64);
    let stripes: Vec<(String, f64)> = zones
        .map(|zone| {
            let part = if share > 0.0 {
                zone.share / share
            } else {
                zone.hosts.len() as f64 / hosts
            };
            (zone.title(), part)
        })
        .collect();
    if stripes.is_empty() { all } else { stripes }
}

fn name(rows: &[PriorityReport]) -> String {
    match rows {
        [] => String::new(),
        [row] => row.short(),
        [first, .., last] if first.row.at.cluster == last.row.at.cluster => {
            format!("{}\u{2013}{}", first.short(), last.short())
        }
        rows => format!("{} more", rows.len()),
    }
}

/// The first of the labels that fits between the neighbors.
fn word(labels: &[&'static str], slot: f64, font: f64) -> Option<&'static str> {
    let mut labels = labels.iter().copied();
    labels.find(|label| text_width(label) * font <= slot - CAPTION_GAP)
}

fn captions(rows: &[PriorityReport], room: f64, measures: &Measures) -> Vec<String> {
    let [row] = rows else {
        return Vec::new();
    };
    let fitting = |forms: &[String]| fitting(forms, room, measures.caption_font);
    let mut lines = Vec::new();
    match row.localities.as_slice() {
        [] => {}
        [one] if one.is_unnamed() => {}
        [one] => lines.push(fitting(&[one.title(), "1 zone".into()])),
        many => {
            let zones = format!("{} zones", many.len());
            lines.push(match many {
                [first, second] => {
                    let both = format!("{}, {}", first.title(), second.short_title());
                    fitting(&[both, zones])
                }
                _ => fitting(&[zones]),
            });
        }
    }
    let (healthy, all) = (row.healthy(), row.hosts.len());
    let hosts = plural(all, "host");
    let short = format!("{healthy} of {all}");
    lines.push(if healthy == all {
        fitting(&[
            format!("{hosts}, all healthy"),
            format!("{all} healthy"),
            short,
        ])
    } else if row.row.load() == 0 || row.degraded() > 0 {
        fitting(&[format!("{hosts}, {healthy} healthy"), short])
    } else {
        let factor = overprovisioning(row.row.health.factor);
        fitting(&[
            format!("{healthy} of {hosts} × {factor}"),
            format!("{short} × {factor}"),
            short,
        ])
    });
    let available = row.row.availability;
    let available = available.healthy.saturating_add(available.degraded);
    let available = whole(available.min(100));
    lines.push(fitting(&[
        format!("availability {available}"),
        format!("avail. {available}"),
    ]));
    lines.truncate(measures.captions);
    lines
}
