//! `spillgate incident --format svg`: tracks over time of usable hosts, failed requests, the load of the most loaded host
//! and panic mode. Text follows the color scheme of the viewer.

use spillgate_core::visible::escaped;
use spillgate_explain::format::fixed;
use spillgate_incident::{IncidentReport, TimelineRow, time_text};

use super::answer::ClusterIncident;
use crate::svg::SvgPicture;

const LABELS: f64 = 130.0;
const WIDTH: f64 = 640.0;
const TRACK: f64 = 56.0;
const GAP: f64 = 18.0;
const HEAD: f64 = 40.0;
const MARGIN: f64 = 12.0;
/// The width of a character of the verdict, at most.
const CHARACTER: f64 = 8.0;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}.e{text-anchor:end}\
    .g{fill:#2f81f7}.n{fill:#d1242f}.p{fill:#9a6700}.a{stroke:#8888;stroke-width:1}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}}";

/// One track: its name, its figure in a row, and its class.
struct Track {
    name: &'static str,
    class: &'static str,
    figure: fn(&TimelineRow) -> f64,
}

const TRACKS: [Track; 4] = [
    Track {
        name: "usable hosts",
        class: "g",
        figure: |row| (row.hosts.healthy + row.hosts.degraded) as f64,
    },
    Track {
        name: "failed/s",
        class: "n",
        figure: |row| row.failed,
    },
    Track {
        name: "most loaded host/s",
        class: "g",
        figure: |row| row.highest,
    },
    Track {
        name: "priorities in panic",
        class: "p",
        figure: |row| row.priorities.iter().filter(|of| of.panic).count() as f64,
    },
];

/// The picture of the first run.
pub(super) fn write(cluster: &ClusterIncident) -> String {
    let report = &cluster.report;
    let verdict = escaped(&format!("{}: {}", report.cluster, report.verdict()));
    let width = LABELS + WIDTH + 2.0 * MARGIN;
    let width = width.max(verdict.chars().count() as f64 * CHARACTER + 2.0 * MARGIN);
    let height = HEAD + TRACKS.len() as f64 * (TRACK + GAP) + 2.0 * MARGIN + GAP;
    let mut body = format!("<text class=\"h\" x=\"{MARGIN}\" y=\"26\">{verdict}</text>\n");
    let mut description = String::new();
    for (at, track) in TRACKS.iter().enumerate() {
        let top = HEAD + at as f64 * (TRACK + GAP);
        draw(&mut body, report, track, top);
    }
    let bottom = HEAD + TRACKS.len() as f64 * (TRACK + GAP);
    for part in 0..=4_u32 {
        let time = report.end * part / 4;
        let x = MARGIN + LABELS + WIDTH * f64::from(part) / 4.0;
        body.push_str(&format!(
            "<text class=\"e\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
            bottom + GAP,
            escaped(&time_text(time))
        ));
    }
    for sentence in report.sentences() {
        description.push_str(&format!(" {}", escaped(&sentence)));
    }
    SvgPicture {
        title: &verdict,
        description: description.trim_start(),
        style: STYLE,
        body: &body,
        width: width.round() as usize,
        height: height.round() as usize,
    }
    .write()
}

/// A track as bars from row to row.
fn draw(body: &mut String, report: &IncidentReport, track: &Track, top: f64) {
    let figures = report.rows.iter().map(track.figure);
    let most = figures.fold(0.0, f64::max);
    let (left, bottom) = (MARGIN + LABELS, top + TRACK);
    let label = |text: &str, y: f64| {
        format!(
            "<text class=\"e\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>\n",
            left - 8.0,
            escaped(text)
        )
    };
    body.push_str(&label(track.name, top + 16.0));
    body.push_str(&label(&format!("at most {}", fixed(most)), top + 34.0));
    body.push_str(&format!(
        "<path class=\"a\" d=\"M{left:.1} {bottom:.1}h{WIDTH:.1}\"/>\n"
    ));
    let end = report.end.as_secs_f64().max(f64::MIN_POSITIVE);
    for (at, row) in report.rows.iter().enumerate() {
        let figure = (track.figure)(row);
        if figure <= 0.0 {
            continue;
        }
        let next = report.rows.get(at + 1).map_or(report.end, |next| next.from);
        let from = row.from.as_secs_f64() / end;
        let part = (next.as_secs_f64() / end - from).max(0.0);
        let tall = TRACK * figure / most.max(f64::MIN_POSITIVE);
        body.push_str(&format!(
            "<rect class=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\">\
             <title>{}: {} {}</title></rect>\n",
            track.class,
            left + from * WIDTH,
            bottom - tall,
            part * WIDTH,
            escaped(&time_text(row.from)),
            fixed(figure),
            track.name,
        ));
    }
}
