//! The hosts of a lesson by health: what is known before the answer.

use crate::view::parts::{color, health_class};
use spillgate_core::model::CoarseHealth;
use yew::prelude::*;

use super::figure::Shown;
use crate::view::screens::lessons::LessonFigure;

/// A row of cells.
struct HostRun {
    name: String,
    /// The place of the priority.
    place: usize,
    healths: Vec<CoarseHealth>,
}

/// The hosts of each zone of each priority; a lesson with few hosts lists them in its figure.
pub(super) fn host_picture(shown: &Shown<'_>) -> Html {
    if shown.lesson.figure == LessonFigure::Hosts {
        return host_list(shown);
    }
    let runs = runs(shown);
    html! {
        <figure class="lesson-hosts hosts dense">
            <figcaption class="hidden">{ "Hosts by health" }</figcaption>
            { for runs.iter().map(draw) }
            <p class="lesson-key" aria-hidden="true">
                { for [CoarseHealth::Healthy, CoarseHealth::Degraded, CoarseHealth::Unhealthy].map(key) }
            </p>
        </figure>
    }
}

/// The meaning of a cell.
fn key(health: CoarseHealth) -> Html {
    let (class, word) = health_class(health);
    html! { <span><span class={classes!("host", "mini", class)} />{ word }</span> }
}

fn runs(shown: &Shown<'_>) -> Vec<HostRun> {
    let outcome = &shown.result.outcome;
    let mut runs = Vec::new();
    for row in outcome.priorities() {
        let hosts: Vec<CoarseHealth> = outcome
            .hosts(row)
            .map(|host| host.endpoint.health.coarse())
            .collect();
        let several = row.localities.len() > 1;
        for zone in &row.localities {
            let healths = zone
                .hosts
                .iter()
                .filter_map(|host| hosts.get(*host).copied());
            runs.push(HostRun {
                name: if several {
                    format!("{}, zone {}", row.name, zone.locality.zone)
                } else {
                    row.name.clone()
                },
                place: row.place,
                healths: healths.collect(),
            });
        }
    }
    runs
}

fn draw(run: &HostRun) -> Html {
    let count = |health| run.healths.iter().filter(|of| **of == health).count();
    let (healthy, degraded) = (count(CoarseHealth::Healthy), count(CoarseHealth::Degraded));
    let all = run.healths.len();
    let label = format!(
        "{}: {healthy} healthy, {degraded} degraded, {} unhealthy hosts",
        run.name,
        all.saturating_sub(healthy + degraded)
    );
    let cells = run.healths.iter().map(|health| {
        let (class, _) = health_class(*health);
        html! { <span class={classes!("host", class)} /> }
    });
    let counted = match degraded {
        0 => format!("{healthy} of {all}"),
        degraded => format!("{healthy} + {degraded} of {all}"),
    };
    html! {
        <div class={classes!("lesson-run", color(run.place))} key={run.name.clone()}>
            <div class="zone-head"><span>{ &run.name }</span><span class="zone-count">{ counted }</span></div>
            <div class="grid" role="img" aria-label={label}>{ for cells }</div>
        </div>
    }
}

/// The hosts with their metadata, without shares.
fn host_list(shown: &Shown<'_>) -> Html {
    let rows = shown.result.hosts.iter().map(|host| {
        let (class, word) = health_class(host.health);
        html! {
            <li key={host.address.clone()}>
                <span class={classes!("host", "mini", "p0", class)} aria-hidden="true" />
                <b>{ host.name() }</b>
                <span class="address">{ &host.address }</span>
                <span>{ super::figure::detail(host, word) }</span>
            </li>
        }
    });
    html! { <ul class="lesson-list">{ for rows }</ul> }
}
