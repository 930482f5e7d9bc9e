//! The loads for every number of lost hosts.

use spillgate_core::visible::escaped;
use spillgate_explain::{report::LoadState, what_if as words};
use spillgate_scenario::{Tone, color_class, plural, sweep_bars, whole};
use spillgate_sim::onsets;

use crate::{
    markup::{area, cursor, fill, key, picture, table},
    stage::Stage,
};

/// A sweep as markup.
#[derive(Debug)]
pub(crate) struct SweepShown {
    /// The losses with which effects begin.
    pub(crate) facts: Vec<(Tone, String)>,
    /// The chart.
    pub(crate) figure: String,
    /// The same as a table.
    pub(crate) table: String,
}

/// The sweep of a priority, with a cursor at the number of lost hosts.
pub(crate) fn sweep(stage: &Stage, name: &str, lost: usize, prefix: &str) -> SweepShown {
    let scene = &stage.scene;
    let states: Vec<LoadState> = scene.sweep(&[], &stage.hosts).collect();
    let all = stage.hosts.len();
    let lost = lost.min(all);
    let names = states.first().map_or_else(Vec::new, |state| {
        state.names(scene.snapshot(), scene.cluster())
    });
    let caption = format!("Loads while {name} loses 0 to {}", plural(all, "host"));
    let onsets: Vec<(Tone, String)> = onsets(&states)
        .iter()
        .map(|onset| words::onset(onset, &names))
        .collect();
    let texts: Vec<&str> = onsets.iter().map(|(_, text)| text.as_str()).collect();
    let text = format!("{caption}: {}", texts.join("; "));
    let mut shapes = String::new();
    let mut marked = false;
    for bar in sweep_bars(&states) {
        let class = bar.priority.map_or_else(|| "effect".into(), color_class);
        marked |= bar.priority.is_none();
        let extent = [bar.x, bar.y, bar.width, bar.height];
        shapes += &area(&class, &fill(prefix, bar.priority), extent);
    }
    shapes += &cursor((lost as f64 + 0.5) * 100.0 / states.len().max(1) as f64);
    let mut figure = format!("<p class=\"note\">{}</p>", escaped(&caption));
    figure += &picture("sweep", 130, &text, &shapes);
    figure +=
        &format!("<p class=\"ends\" aria-hidden=\"true\"><span>0</span><span>{all}</span></p>");
    let loaded = |place: usize| states.iter().any(|state| state.load(place) > 0);
    let shown = names.iter().cloned().enumerate();
    figure += &key(prefix, shown.filter(|(place, _)| loaded(*place)));
    if marked {
        figure += "<p class=\"note\"><span class=\"effect-key\" aria-hidden=\"true\"></span>a priority is in panic mode, or requests find no host</p>";
    }
    SweepShown {
        facts: onsets,
        figure,
        table: sweep_table(&caption, &states, &names),
    }
}

/// One row for each range of losses with the same loads.
fn sweep_table(caption: &str, states: &[LoadState], names: &[String]) -> String {
    let mut columns = vec!["lost hosts".to_owned()];
    columns.extend(names.iter().cloned());
    columns.extend(["no host".into(), "panic".into()]);
    let cells = |state: &LoadState| -> Vec<String> {
        let mut cells: Vec<String> = state.loads().map(whole).collect();
        cells.push(spillgate_scenario::decimal(state.no_host));
        let panic = if state.panicking() > 0 { "yes" } else { "no" };
        cells.push(panic.into());
        cells
    };
    let mut rows: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (lost, state) in states.iter().enumerate() {
        let cells = cells(state);
        match rows.last_mut() {
            Some((_, last, same)) if *same == cells => *last = lost,
            _ => rows.push((lost, lost, cells)),
        }
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(first, last, cells)| {
            let range = if first == last {
                first.to_string()
            } else {
                format!("{first}\u{2013}{last}")
            };
            core::iter::once(range).chain(cells).collect()
        })
        .collect();
    table(caption, &columns, &rows)
}
