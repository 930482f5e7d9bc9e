//! The shapes of the figure as markup.

use spillgate_core::visible::escaped;
use spillgate_scenario::{MemberShape, PriorityShape, Spillway, color_class, fixed, pattern_id};

/// All shapes, from back to front as in the playground.
pub(super) fn shapes(figure: &Spillway) -> String {
    let mut out = String::new();
    for group in &figure.groups {
        member(group, &mut out);
    }
    let (top, _) = figure.entry;
    label("entry", (2.0, top - 32.0), "all requests", &mut out);
    label("entry-load", (2.0, top - 11.0), "100\u{a0}%", &mut out);
    for stream in &figure.streams {
        let class = if stream.degraded { "pale" } else { "" };
        path(class, Some(stream.color), &stream.path, "", &mut out);
    }
    for basin in &figure.basins {
        draw_basin(basin, &mut out);
    }
    for spillover in &figure.spillovers {
        label(
            "spillover",
            (spillover.x, spillover.y),
            &spillover.text,
            &mut out,
        );
    }
    out
}

fn member(group: &MemberShape, out: &mut String) {
    let base = group.y + group.height - 12.0;
    area("frame", group_extent(group), "", out);
    let above = f64::from(group.lines.saturating_sub(1)) * 20.0;
    label("member", (group.x + 8.0, base - above), &group.name, out);
    let right = group.x + group.width - 8.0;
    label("member-load", (right, base), &group.load, out);
}

const fn group_extent(group: &MemberShape) -> [f64; 4] {
    [group.x, group.y, group.width, group.height]
}

fn draw_basin(basin: &PriorityShape, out: &mut String) {
    let line = basin.lines.start;
    let (center, bottom) = (basin.x + basin.width / 2.0, basin.y + basin.height);
    let extent = [basin.x, basin.y, basin.width, basin.height];
    let mut classes = format!("basin {}", color_class(line));
    for (is, class) in [
        (basin.dry, " dry"),
        (basin.panic, " panic"),
        (basin.unserved, " unserved"),
    ] {
        classes.push_str(if is { class } else { "" });
    }
    out.push_str(&format!("<g class=\"{classes}\">\n"));
    area("space", extent, "", out);
    for water in &basin.water {
        path("", Some(line), &water.path, &water.title, out);
    }
    path("pale", Some(line), &basin.pale.path, "", out);
    if basin.panic {
        area("", extent, " fill=\"url(#sg-hatch)\"", out);
    }
    if let Some(over) = &basin.over {
        path("over", None, over, "", out);
    }
    path("brim", None, &basin.brim, "", out);
    path("extension", None, &basin.extension, "", out);
    path("walls", None, &basin.walls, "", out);
    if let Some(word) = basin.word {
        let down = if basin.dry {
            basin.height / 2.0 + 5.0
        } else {
            24.0
        };
        label("word", (center, basin.y + down), word, out);
    }
    if !basin.dry {
        // The load is in the water if that is deep enough, otherwise above it.
        let (class, depth) = if basin.filled > 0.3 {
            ("load inside", 14.0)
        } else {
            ("load", basin.height * basin.filled + 12.0)
        };
        label(class, (center, bottom - depth), &basin.load, out);
    }
    label("name", (center, bottom + 20.0), &basin.name, out);
    for (at, caption) in basin.captions.iter().enumerate() {
        let y = bottom + 40.0 + 20.0 * at as f64;
        label("caption", (center, y), caption, out);
    }
    out.push_str("</g>\n");
}

fn label(class: &str, (x, y): (f64, f64), text: &str, out: &mut String) {
    out.push_str(&format!(
        "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>\n",
        fixed(x),
        fixed(y),
        escaped(text)
    ));
}

fn area(class: &str, extent: [f64; 4], fill: &str, out: &mut String) {
    let [x, y, width, height] = extent.map(fixed);
    out.push_str(&format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"{fill}/>\n"
    ));
}

/// An outline, filled with the pattern of a priority.
fn path(class: &str, place: Option<usize>, outline: &str, title: &str, out: &mut String) {
    let fill = place.map_or_else(String::new, |place| {
        format!(" fill=\"url(#sg-{})\"", pattern_id(place))
    });
    out.push_str(&format!("<path class=\"{class}\"{fill} d=\"{outline}\""));
    if title.is_empty() {
        out.push_str("/>\n")
    } else {
        out.push_str(&format!("><title>{}</title></path>\n", escaped(title)))
    }
}
