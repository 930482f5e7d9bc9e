//! One basin: water, walls and labels.

use super::{
    super::{PanicMode, PriorityReport, plural, whole},
    Basin, Water,
    measures::Measures,
    paths::{brim_line, broken_walls, surface, whole_walls},
};

/// The label of a basin with traffic but without usable hosts.
const NO_HOST: &str = "503: no host";

/// The basin of some priorities, usually one, with its left wall at `x` and its brim at `y`.
pub(super) fn basin(
    rows: &[PriorityReport],
    lines: &std::ops::Range<usize>,
    x: f64,
    width: f64,
    y: f64,
    measures: &Measures,
) -> Basin {
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
        captions: captions(rows, measures.captions),
        word: match (unserved, panic, dry) {
            (true, ..) => Some(NO_HOST),
            (_, true, _) => Some("panic"),
            (.., true) => Some("no traffic"),
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

fn captions(rows: &[PriorityReport], most: usize) -> Vec<String> {
    let [row] = rows else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    match row.localities.as_slice() {
        [] => {}
        [one] if one.is_unnamed() => {}
        [one] => lines.push(one.title()),
        [first, second] => lines.push(format!("{}, {}", first.title(), second.short_title())),
        many => lines.push(format!("{} zones", many.len())),
    }
    let hosts = plural(row.hosts.len(), "host");
    lines.push(if row.healthy() == row.hosts.len() {
        format!("{hosts}, all healthy")
    } else if row.row.load() == 0 || row.degraded() > 0 {
        format!("{hosts}, {} healthy", row.healthy())
    } else {
        format!(
            "{} of {hosts} × {}",
            row.healthy(),
            factor(row.row.health.factor.0)
        )
    });
    let available = row.row.availability;
    let available = available.healthy.saturating_add(available.degraded);
    lines.push(format!("availability {}", whole(available.min(100))));
    lines.truncate(most);
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
