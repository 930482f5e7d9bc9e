//! `spillgate fleet --format svg`: a grid of the load of each zone in each case. Text follows the color scheme of
//! the viewer.

use spillgate_core::visible::escaped;

use super::{
    answer::FleetAnswer,
    figures::{known, percent},
};
use crate::svg::SvgPicture;

/// The width of the column of conditions, in pixels.
const LABELS: usize = 170;
const CELL_WIDTH: usize = 96;
const CELL_HEIGHT: usize = 28;
/// The verdict and the names of the zones.
const HEAD: usize = 62;
const MARGIN: usize = 12;
/// The width of a character of the verdict, at most.
const CHARACTER: usize = 8;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}\
    .e{text-anchor:end}.m{text-anchor:middle}.c{stroke:#8884;fill:#2f81f7}.n{stroke:#8884;\
    fill:#d1242f}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}";

/// The picture. Each cell has the utilization in percent; without capacities, the requests per second.
pub(super) fn write(answer: &FleetAnswer) -> String {
    let report = &answer.report;
    let verdict = escaped(&answer.verdict);
    let width = LABELS + report.zones.len() * CELL_WIDTH + 2 * MARGIN;
    let width = width.max(answer.verdict.chars().count() * CHARACTER + 2 * MARGIN);
    let height = HEAD + report.cases.len() * CELL_HEIGHT + 2 * MARGIN;
    let mut body = format!("<text class=\"h\" x=\"{MARGIN}\" y=\"26\">{verdict}</text>\n");
    for zone in 0..report.zones.len() {
        let x = MARGIN + LABELS + zone * CELL_WIDTH + CELL_WIDTH / 2;
        let name = escaped(&report.zone_name(zone));
        body.push_str(&format!(
            "<text class=\"m\" x=\"{x}\" y=\"{}\">{name}</text>\n",
            HEAD + 2
        ));
    }
    let mut description = String::new();
    let loads = report
        .cases
        .iter()
        .flat_map(|case| case.zones.iter().map(|of| of.rps));
    let most = loads.fold(0.0, f64::max);
    for (at, case) in report.cases.iter().enumerate() {
        let y = MARGIN + HEAD + at * CELL_HEIGHT;
        let when = match report.condition(at) {
            none if none.is_empty() => String::from("all zones"),
            when => when,
        };
        let when = escaped(&when);
        let x = MARGIN + LABELS - 8;
        body.push_str(&format!(
            "<text class=\"e\" x=\"{x}\" y=\"{}\">{when}</text>\n",
            y + 18
        ));
        for (zone, of) in case.zones.iter().enumerate() {
            let (value, unit, part) = match of.utilization() {
                _ if case.lost.contains(&zone) => (String::from("lost"), "", 0.0),
                Some(ratio) => (percent(Some(ratio)), " %", ratio),
                None => (
                    known(Some(of.rps)),
                    "/s",
                    of.rps / most.max(f64::MIN_POSITIVE),
                ),
            };
            let class = if unit == " %" && part > 1.0 + 1e-9 {
                "n"
            } else {
                "c"
            };
            let title = format!(
                "{when}, {}: {value}{unit}",
                escaped(&report.zone_name(zone))
            );
            let x = MARGIN + LABELS + zone * CELL_WIDTH;
            body.push_str(&format!(
                "<g><title>{title}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" \
                 width=\"{CELL_WIDTH}\" height=\"{CELL_HEIGHT}\" fill-opacity=\"{:.2}\"/>\
                 <text class=\"m\" x=\"{}\" y=\"{}\">{value}{unit}</text></g>\n",
                // Text stays readable on the strongest color.
                part.clamp(0.0, 1.0) * 0.55,
                x + CELL_WIDTH / 2,
                y + 18,
            ));
            description.push_str(&format!(" {title}."));
        }
    }
    SvgPicture {
        title: &verdict,
        description: &format!("Load of each zone.{description}"),
        style: STYLE,
        body: &body,
        width,
        height,
    }
    .write()
}
