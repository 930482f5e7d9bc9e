//! A priority: its hosts and their health.

use spillgate_core::model::CoarseHealth;
use spillgate_scenario::{MAXIMUM_HOSTS, PageFigure, PriorityAt, ScenarioEdit, count, whole};
use yew::prelude::*;

use super::host_grid::HostGrid;
use crate::view::{
    Act, Shared,
    parts::{Button, FigureButton, Number, Slider, color, slider},
};

/// Name, load, host grid and sliders.
pub(crate) fn priority_card(store: &Shared, act: &Act, at: PriorityAt) -> Html {
    let scenario = store.scenario();
    let Some(priority) = scenario.priority(at) else {
        return html! {};
    };
    let hosts = priority.endpoints.len();
    let of_class = |class| {
        let endpoints = priority.endpoints.iter();
        endpoints.filter(|e| e.health.coarse() == class).count()
    };
    let (healthy, degraded) = (
        of_class(CoarseHealth::Healthy),
        of_class(CoarseHealth::Degraded),
    );
    let row = store.outcome.priority(at);
    let id = scenario.priority_id(at);
    let name = scenario.priority_name(at);
    let mut summary = format!("{} of {} healthy", count(healthy), count(hosts));
    if degraded > 0 {
        summary.push_str(&format!(", {degraded} degraded"));
    }
    let edit = |make: fn(PriorityAt, usize) -> ScenarioEdit| {
        let act = act.clone();
        Callback::from(move |value: u32| act.edit(make(at, value as usize)))
    };
    let load = whole(row.map_or(0, |row| row.row.load()));
    let figure = FigureButton {
        test: None,
        of: name.clone(),
        text: load,
        selected: store.selected == Some(PageFigure::Priority(at)),
        onclick: act.select(PageFigure::Priority(at)),
    };
    let healthy = Slider {
        test: format!("healthy-{id}"),
        label: "healthy",
        name: format!("healthy hosts in {name}"),
        value: healthy as u32,
        range: (0, hosts as u32),
        most: hosts as u32,
        on_value: edit(ScenarioEdit::HealthyCount),
    };
    let step = |text: &'static str, what: &'static str, to: usize| {
        let button = Button {
            class: "",
            test: None,
            name: Some(format!("{what} {name}")),
            text: text.into(),
            disabled: to == hosts,
            onclick: act.editing(ScenarioEdit::HostCount(at, to)),
        };
        button.view()
    };
    html! {
        <section key={at.priority} class={classes!("priority", row.map(|row| color(row.place)))} aria-label={format!("Priority {name}")}>
            <header>
                <b>{ format!("P{}", at.priority) }</b>
                <span>{ summary }</span>
                { figure.view() }
            </header>
            <HostGrid store={store.clone()} act={act.clone()} {at} />
            { slider(healthy) }
            <div class="stepper">
                <span aria-hidden="true">{ "hosts" }</span>
                { step("\u{2212}", "remove a host from", hosts.saturating_sub(1)) }
                { step("+", "add a host to", (hosts + 1).min(MAXIMUM_HOSTS)) }
                <Number test={format!("host-count-{id}")} name={format!("hosts in {name}")} value={hosts as u32}
                    min={0} max={MAXIMUM_HOSTS as u32} on_value={edit(ScenarioEdit::HostCount)} />
            </div>
        </section>
    }
}
