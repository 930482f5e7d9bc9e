//! The result of a lesson: a picture, its sentence, and a table with the same figures.

use crate::view::parts::{
    DrawnOutcome, FigureButton, bar, cell, explanation_tree, head, health_class, hidden_caption,
    paint, row, scrolled, spillway_figure, swatch,
};
use spillgate_core::model::Value;
use spillgate_scenario::{
    PageFigure, PageLayout, PriorityReport, ShortNames, decimal, explain_derived, healthy_cell,
    panic_cell, priority_at, whole,
};
use yew::prelude::*;

use crate::view::screens::lessons::{Lesson, LessonFigure, LessonHost, LessonResult};

/// The lesson and the result to draw.
pub(super) struct Shown<'a> {
    pub(super) lesson: &'static Lesson,
    pub(super) result: &'a LessonResult,
    pub(super) size: PageLayout,
    /// The figure whose formula is open.
    pub(super) selected: Option<PageFigure>,
    pub(super) choose: &'a Callback<PageFigure>,
}

/// The picture with its table.
pub(super) fn figure(shown: &Shown<'_>) -> Html {
    let result = shown.result;
    let caption = result.caption(shown.lesson.figure);
    let content = match shown.lesson.figure {
        LessonFigure::Spillway => priorities(shown),
        LessonFigure::Zones => {
            let zones = result.priority(0).map_or(&[][..], |row| &row.localities);
            let rows = result.zones().zip(zones).map(|((name, share), zone)| {
                share_row(name, zone.weight.unwrap_or_default().to_string(), share)
            });
            shares("zone", "weight", rows.collect())
        }
        LessonFigure::Hosts => {
            let hosts = result.hosts.iter();
            let mut rows: Vec<Html> = hosts
                .map(|host| {
                    share_row(
                        host.name(),
                        detail(host, health_class(host.health).1),
                        host.share,
                    )
                })
                .collect();
            if result.no_host > 0.0 {
                rows.push(share_row(
                    "no host (503)".into(),
                    String::new(),
                    result.no_host,
                ));
            }
            let has_metadata = result.hosts.iter().any(|host| !host.metadata.is_empty());
            let detail = if has_metadata { "metadata" } else { "health" };
            shares("host", detail, rows)
        }
    };
    html! {
        <figure class="lesson-figure">
            <figcaption data-test="lesson-caption">{ caption }</figcaption>
            { content }
        </figure>
    }
}

/// The spillway, the table of priorities, and the formula of the selected load.
fn priorities(shown: &Shown<'_>) -> Html {
    let result = shown.result;
    // The names of lessons are short.
    let names = ShortNames::default();
    let drawn = DrawnOutcome {
        scenario: &result.scenario,
        outcome: &result.outcome,
        names: &names,
        selected: shown.selected,
        choose: shown.choose,
    };
    let rows = result.outcome.priorities().iter();
    let columns = [
        ("", "priority"),
        ("minor", "healthy"),
        ("", "availability"),
        ("", "load"),
        ("", "panic"),
    ];
    let formula = shown
        .selected
        .and_then(|figure| explain_derived(&result.scenario, &result.outcome, figure));
    let table = html! {
        <table class="figures">
            { hidden_caption("Split by priority") }
            { head(&columns) }
            <tbody>{ for rows.map(|priority| priority_row(priority, shown)) }</tbody>
        </table>
    };
    html! {
        <>
            { spillway_figure(&drawn, shown.size) }
            { scrolled("Split by priority", table) }
            if let Some(formula) = formula {
                { explanation_tree(&formula, None, &Callback::noop(), &|label| label.into()) }
            }
        </>
    }
}

fn priority_row(priority: &PriorityReport, shown: &Shown<'_>) -> Html {
    let at = priority_at(priority.row.at);
    let id = shown.result.outcome.id(priority);
    let available = priority.row.availability;
    let availability = match available.degraded {
        0 => whole(available.healthy),
        degraded => format!("{} + {}", available.healthy, whole(degraded)),
    };
    let button = |test: &str, figure: PageFigure, text: String| {
        let button = FigureButton {
            test: Some(format!("lesson-{test}-{id}")),
            of: format!("the {test} of {}", priority.name),
            text,
            selected: shown.selected == Some(figure),
            onclick: shown.choose.reform(move |_: MouseEvent| figure),
        };
        cell("", None, button.view())
    };
    let panic = panic_cell(&shown.result.outcome, priority);
    let is_selected = shown.selected.and_then(PageFigure::priority) == Some(at);
    let cells = vec![
        html! { <th scope="row">{ swatch(priority.place) }{ &priority.name }</th> },
        cell("minor", None, healthy_cell(priority).into()),
        button("availability", PageFigure::Availability(at), availability),
        button("load", PageFigure::Priority(at), whole(priority.row.load())),
        button("panic", PageFigure::Panic(at), panic.to_owned()),
    ];
    row(id, is_selected.then_some("selected"), cells)
}

fn shares(what: &'static str, detail: &'static str, rows: Vec<Html>) -> Html {
    let columns = [
        ("", what),
        ("text", detail),
        ("", "share"),
        ("chart text", "bar"),
    ];
    let table = html! {
        <table class="figures">
            { hidden_caption("Shares of the requests") }
            { head(&columns) }
            <tbody>{ for rows }</tbody>
        </table>
    };
    scrolled("Shares of the requests", table)
}

fn share_row(name: String, detail: String, share: f64) -> Html {
    let test = format!("lesson-share-{name}");
    let picture = html! {
        <svg width="100%" height="14" aria-hidden="true" focusable="false">{ bar("", 0.0, share, Some(paint(0))) }</svg>
    };
    let cells = vec![
        html! { <th scope="row">{ name.clone() }</th> },
        cell("text", None, detail.into()),
        cell("", Some(test), decimal(share).into()),
        cell("chart text p0", None, picture),
    ];
    row(name, None, cells)
}

/// The metadata of a host, or its health if it has none.
pub(super) fn detail(host: &LessonHost, health: &str) -> String {
    let fields = host.metadata.fields().iter();
    let texts: Vec<String> = fields
        .map(|field| match &field.value {
            Value::Text(text) => format!("{}: {text}", field.key),
            _ => field.key.to_string(),
        })
        .collect();
    if texts.is_empty() {
        health.to_owned()
    } else {
        texts.join(", ")
    }
}
