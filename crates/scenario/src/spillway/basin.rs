//! One basin: water, walls and labels.

use super::{
    super::{PanicMode, PriorityReport, plural, text_width, whole},
    Basin, Water,
    fitting::fitting,
    measures::Measures,
    paths::{brim_line, broken_walls, surface, whole_walls},
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
) -> Basin {
    let BasinPlace { x, width, y, slot } = extent;
    let height = measures.depth;
    let load: u32 = rows.iter().map(|row| row.row.load()).sum();
    let share: f64 = rows.iter().map(PriorityReport::share).sum();
    let dry = load == 0;
    let sum = |part: fn(&PriorityReport) -> u32| {
        let sum: u32 = rows.iter().map(part).sum();
        f64::from(sum.min(100)) / 100.0 * f64::from(u8::from(!dry))
    };
    let healthy = sum(|row| row.row.availability.healthy);
    let degraded = sum(|row| row.row.availability.degraded);
    let filled = (healthy + degraded).min(1.0);
    let panic = !dry && rows.iter().any(|row| row.panic != PanicMode::Off);
    let unserved = load > 0 && share < 0.05;
    let walls = if panic {
        broken_walls(x, y, width, height)
    } else {
        whole_walls(x, y, width, height)
    };
    let full = (y + height * (1.0 - healthy), y + height);
    let stripes: Vec<(String, usize)> = match rows {
        [row] => {
            let zones = row.localities.iter().filter(|zone| !zone.hosts.is_empty());
            zones.map(|zone| (zone.title(), zone.hosts.len())).collect()
        }
        _ => Vec::new(),
    };
    let hosts: usize = stripes.iter().map(|(_, hosts)| hosts).sum();
    let mut from = x;
    let mut water: Vec<Water> = Vec::new();
    for (zone, count) in stripes {
        let part = width * count as f64 / hosts.max(1) as f64;
        water.push(Water {
            title: zone,
            path: surface(from, part, full.0, full.1),
        });
        from += part;
    }
    if water.is_empty() {
        water.push(Water {
            title: String::new(),
            path: surface(x, width, full.0, full.1),
        });
    }
    let top = y + height * (1.0 - filled);
    Basin {
        lines: lines.clone(),
        x,
        y,
        width,
        height,
        walls,
        brim: brim_line(x, y, width),
        water,
        pale: Water {
            title: String::new(),
            path: surface(x, width, top, full.0),
        },
        filled,
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
        let factor = factor(row.row.health.factor.0);
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

/// An overprovisioning factor of 140 percent is 1.4.
fn factor(percent: u32) -> String {
    let (whole, rest) = (percent / 100, percent % 100);
    let decimals = format!("{rest:02}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}
