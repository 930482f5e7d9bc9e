//! Traffic as a picture: one grid for each destination. Text has the color of the page around it,
//! or follows the color scheme of the viewer, so that it is readable in light and dark.

use alloc::{format, string::String};

use spillgate_core::visible::escaped;

use super::{NO_HOST, TrafficMatrix, percent};

/// The width of the column of zone names, in pixels.
const LABELS: usize = 120;
const CELL_WIDTH: usize = 84;
const CELL_HEIGHT: usize = 28;
/// The heading of a grid and its column names.
const HEAD: usize = 54;
const MARGIN: usize = 12;
/// Longer names are cut; the title of the element has the whole name.
const LONGEST: usize = 16;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}\
    .e{text-anchor:end}.m{text-anchor:middle}.c{stroke:#8884;fill:#2f81f7}.n{stroke:#8884;\
    fill:#d1242f}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}";

/// The matrices as one SVG image. Every cell has a title with its zones and its share, and the image
/// a description of all of them.
#[must_use]
pub fn traffic_svg(matrices: &[TrafficMatrix]) -> String {
    let columns = matrices.iter().map(|matrix| matrix.zones.len() + 1).max();
    let width = LABELS + columns.unwrap_or(1) * CELL_WIDTH + 2 * MARGIN;
    let mut body = String::new();
    let mut top = MARGIN;
    for matrix in matrices {
        grid(matrix, top, &mut body);
        top += HEAD + matrix.rows.len() * CELL_HEIGHT + MARGIN;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t d\" \
         viewBox=\"0 0 {width} {top}\" width=\"{width}\" height=\"{top}\">\n\
         <title id=\"t\">Zone-to-zone traffic</title>\n<desc id=\"d\">{}</desc>\n\
         <style>{STYLE}</style>\n{body}</svg>\n",
        description(matrices)
    )
}

/// One sentence for each row.
fn description(matrices: &[TrafficMatrix]) -> String {
    let mut out = String::from("Percent of the requests of each zone.");
    for matrix in matrices {
        for row in &matrix.rows {
            out.push_str(&format!(
                " {} from {}:",
                escaped(&matrix.destination),
                escaped(&row.from)
            ));
            let mut separator = ' ';
            let cells = matrix.zones.iter().zip(&row.to);
            for (zone, share) in cells.filter(|(_, share)| **share > 0.0) {
                out.push_str(&format!(
                    "{separator}{} % to {}",
                    percent(*share),
                    escaped(zone)
                ));
                separator = ',';
            }
            if row.no_host > 0.0 {
                out.push_str(&format!(
                    "{separator}{} % without a host",
                    percent(row.no_host)
                ));
            }
            out.push('.');
        }
    }
    out
}

fn grid(matrix: &TrafficMatrix, top: usize, out: &mut String) {
    let left = MARGIN + LABELS;
    let title = escaped(&matrix.destination);
    out.push_str(&format!(
        "<text class=\"h\" x=\"{MARGIN}\" y=\"{}\">{title}</text>\n",
        top + 14
    ));
    let names = matrix.zones.iter().map(String::as_str).chain([NO_HOST]);
    for (column, name) in names.enumerate() {
        let x = left + column * CELL_WIDTH + CELL_WIDTH / 2;
        label(name, "m", x, top + HEAD - 10, out);
    }
    for (number, row) in matrix.rows.iter().enumerate() {
        let y = top + HEAD + number * CELL_HEIGHT;
        label(&row.from, "e", left - 8, y + 18, out);
        let cells = matrix
            .zones
            .iter()
            .map(String::as_str)
            .zip(&row.to)
            .map(|(zone, share)| (zone, "c", *share));
        for (column, (zone, class, share)) in cells.chain([(NO_HOST, "n", row.no_host)]).enumerate()
        {
            let x = left + column * CELL_WIDTH;
            out.push_str(&format!(
                "<g><title>{} to {}: {} %</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" \
                 width=\"{CELL_WIDTH}\" height=\"{CELL_HEIGHT}\" fill-opacity=\"{:.2}\"/>\
                 <text class=\"m\" x=\"{}\" y=\"{}\">{}</text></g>\n",
                escaped(&row.from),
                escaped(zone),
                percent(share),
                // Text stays readable on the strongest color.
                share / 100.0 * 0.55,
                x + CELL_WIDTH / 2,
                y + 18,
                shown(share)
            ));
        }
    }
}

/// A share; nothing for 0.
fn shown(share: f64) -> String {
    if share == 0.0 {
        String::from("·")
    } else {
        percent(share)
    }
}

/// A name, cut to the space that it has.
fn label(name: &str, class: &str, x: usize, y: usize, out: &mut String) {
    let full = escaped(name);
    let short: String = if name.chars().count() > LONGEST {
        let mut cut: String = name.chars().take(LONGEST - 1).collect();
        cut.push('…');
        escaped(&cut)
    } else {
        full.clone()
    };
    out.push_str(&format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"><title>{full}</title>{short}</text>\n"
    ));
}
