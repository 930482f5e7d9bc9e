//! The figure: streams, basins, members.

use spillgate_scenario::{
    EditedScenario, Headline, MemberShape, PageFigure, PageLayout, PriorityAt, PriorityShape,
    ScenarioOutcome, ShortNames, Spillway, fixed, priority_at, spillway,
};
use yew::prelude::*;

use super::{area, color, label, paint, shape};

/// A result to draw, and the reaction to a click on it.
#[derive(Debug)]
pub struct DrawnOutcome<'a> {
    /// The clusters.
    pub scenario: &'a EditedScenario,
    /// Their result.
    pub outcome: &'a ScenarioOutcome,
    /// The short forms of its names.
    pub names: &'a ShortNames,
    /// The figure whose explanation is open.
    pub selected: Option<PageFigure>,
    /// Called with a clicked figure.
    pub choose: &'a Callback<PageFigure>,
}

impl DrawnOutcome<'_> {
    /// Selects a figure on click.
    pub(super) fn select(&self, figure: PageFigure) -> Callback<MouseEvent> {
        self.choose.reform(move |_| figure)
    }
}

/// The spillway. For screen readers it is one image with the headline as its name; a table next to it
/// must have the same figures with buttons.
pub fn spillway_figure(of: &DrawnOutcome<'_>, size: PageLayout) -> Html {
    let figure = spillway(of.outcome, of.names, size);
    let name = Headline::of(of.outcome).text();
    let mut parts: Vec<Html> = Vec::new();
    parts.extend(figure.groups.iter().map(|group| draw_group(group, of)));
    parts.extend(entry(&figure, size));
    parts.extend(figure.streams.iter().map(|stream| {
        let class = if stream.degraded {
            "stream pale"
        } else {
            "stream"
        };
        shape(class, Some(paint(stream.color)), stream.path.clone(), "")
    }));
    for basin in &figure.basins {
        parts.push(draw_basin(basin, of));
    }
    for spillover in &figure.spillovers {
        parts.push(label(
            "spillover",
            spillover.x,
            spillover.y,
            &spillover.text,
        ));
    }
    let few = match size {
        PageLayout::Wide => 110.0,
        PageLayout::Narrow => 60.0,
    };
    let tight = figure.basins.first().is_some_and(|basin| basin.width < few);
    let look = match (size, tight) {
        (PageLayout::Narrow, true) => "small tight",
        (PageLayout::Narrow, false) => "small",
        (PageLayout::Wide, true) => "wide tight",
        (PageLayout::Wide, false) => "wide",
    };
    html! {
        <figure class="spillway" data-test="spillway">
            <svg viewBox={format!("0 0 {} {}", fixed(figure.width), fixed(figure.height))} role="img"
                aria-label={name} class={look}>{ for parts }</svg>
        </figure>
    }
}

fn entry(figure: &Spillway, size: PageLayout) -> Vec<Html> {
    let (top, _) = figure.entry;
    let mut parts = vec![label("entry-load", 2.0, top - 11.0, "100\u{a0}%")];
    if size == PageLayout::Wide {
        parts.push(label("entry", 2.0, top - 32.0, "all requests"));
    }
    parts
}

fn draw_group(group: &MemberShape, of: &DrawnOutcome<'_>) -> Html {
    let base = group.y + group.height - 10.0;
    let above = f64::from(group.lines.saturating_sub(1)) * 20.0;
    html! {
        <g class="group" onclick={of.select(PageFigure::Cluster(group.cluster))}>
            <title>{ of.scenario.name(group.cluster) }</title>
            { area("frame", (group.x, group.y), (group.width, group.height), None) }
            { label("group-name", group.x + 8.0, base - above, &group.name) }
            { label("group-load", group.x + group.width - 8.0, base, &group.load) }
        </g>
    }
}

fn priority_of(of: &DrawnOutcome<'_>, basin: &PriorityShape) -> Option<PriorityAt> {
    let row = of.outcome.priorities().get(basin.lines.start);
    row.map(|row| priority_at(row.row.at))
}

fn draw_basin(basin: &PriorityShape, of: &DrawnOutcome<'_>) -> Html {
    let line = basin.lines.start;
    let at = priority_of(of, basin);
    let selected = at.is_some_and(|at| of.selected == Some(PageFigure::Priority(at)));
    let (center, bottom) = (basin.x + basin.width / 2.0, basin.y + basin.height);
    let (corner, size) = ((basin.x, basin.y), (basin.width, basin.height));
    let mut parts = vec![area("space", corner, size, None)];
    for water in &basin.water {
        parts.push(shape(
            "water",
            Some(paint(basin.color)),
            water.path.clone(),
            &water.title,
        ));
    }
    parts.push(shape(
        "water pale",
        Some(paint(basin.color)),
        basin.pale.path.clone(),
        "",
    ));
    if basin.panic {
        parts.push(area("hatch", corner, size, Some("url(#hatch)".into())));
    }
    if let Some(over) = &basin.over {
        parts.push(shape("over", Some("url(#hatch)".into()), over.clone(), ""));
    }
    parts.push(shape("brim", None, basin.brim.clone(), ""));
    parts.push(shape("walls extension", None, basin.extension.clone(), ""));
    parts.push(shape("walls", None, basin.walls.clone(), ""));
    if let Some(word) = basin.word {
        let down = if basin.dry {
            basin.height / 2.0 + 5.0
        } else {
            24.0
        };
        parts.push(label("word", center, basin.y + down, word));
    }
    if !basin.dry {
        // The load is in the water if that is deep enough, otherwise above it.
        let room = if basin.height > 100.0 { 46.0 } else { 34.0 };
        let inside = basin.height * basin.filled > room;
        let depth = if inside {
            14.0
        } else {
            basin.height * basin.filled + 12.0
        };
        let class = if inside { "load inside" } else { "load" };
        parts.push(label(class, center, bottom - depth, &basin.load));
    }
    parts.push(label("name", center, bottom + 20.0, &basin.name));
    for (at, caption) in basin.captions.iter().enumerate() {
        parts.push(label(
            "caption",
            center,
            bottom + 40.0 + 20.0 * at as f64,
            caption,
        ));
    }
    let class = classes!(
        "basin",
        color(basin.color),
        basin.dry.then_some("dry"),
        basin.panic.then_some("panic"),
        basin.over.as_ref().map(|_| "overflowing"),
        basin.unserved.then_some("unserved"),
        selected.then_some("selected")
    );
    html! {
        <g key={line} {class} onclick={at.map(|at| of.select(PageFigure::Priority(at)))}>{ for parts }</g>
    }
}
