//! The hosts of a priority as cells: a click or a key fails or restores a host.

use std::rc::Rc;

use spillgate_core::model::{CoarseHealth, Priority};
use spillgate_scenario::{
    HealthChoice, HostAt, PageFigure, PriorityAt, PriorityReport, ScenarioEdit, decimal,
};
use yew::prelude::*;

use super::host_cells::{Cell, GROUP, HostCells, health};
use crate::{
    bridge,
    view::{
        Act, Action, Shared,
        parts::{Button, FigureButton, named, note},
    },
};

/// With more hosts, cells are small; the slider is the larger target then.
const DENSE: usize = 120;

/// The maximum number of cells; with more hosts, a cell represents several.
const MOST_CELLS: usize = 1_000;

#[derive(PartialEq, Properties)]
pub(crate) struct HostGridProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) at: PriorityAt,
}

/// A locality and its cells.
struct Zone {
    /// Its place among the localities of the priority.
    index: usize,
    name: String,
    /// Its share of the requests, in percent.
    share: f64,
    healthy: usize,
    hosts: Vec<usize>,
    cells: Vec<Cell>,
}

/// The context of a click or a key.
struct Reaction {
    store: Shared,
    act: Act,
    at: PriorityAt,
    id: String,
    cells: Vec<Cell>,
    cursor: UseStateSetter<usize>,
}

/// One grid per locality. A priority is one tab stop; arrow keys move between its cells.
#[component]
pub(crate) fn HostGrid(props: &HostGridProps) -> Html {
    let at = props.at;
    let cursor = use_state(|| 0_usize);
    let scenario = props.store.scenario();
    let Some(priority) = scenario.priority(at) else {
        return html! {};
    };
    let zones = zones(priority, props.store.outcome.priority(at));
    let id = scenario.priority_id(at);
    let cells: Vec<Cell> = zones.iter().flat_map(|zone| zone.cells.clone()).collect();
    let firsts = || cells.iter().filter_map(|cell| cell.first().copied());
    let current = firsts()
        .find(|&first| first == *cursor)
        .or_else(|| firsts().next())
        .unwrap_or(0);
    let grouped = cells.iter().any(|cell| cell.len() > 1);
    let reaction = Rc::new(Reaction {
        store: props.store.clone(),
        act: props.act.clone(),
        at,
        id: id.clone(),
        cells,
        cursor: cursor.setter(),
    });
    let onclick = {
        let reaction = Rc::clone(&reaction);
        Callback::from(move |event: MouseEvent| reaction.click(&event))
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| reaction.key(&event));
    let dense = priority.endpoints.len() > DENSE;
    html! {
        <div class={classes!("hosts", dense.then_some("dense"))} {onclick} {onkeydown}>
            { for zones.iter().map(|zone| draw_zone(zone, &id, current, props)) }
            if grouped {
                { note("A cell represents several hosts of a zone.".into()) }
            }
        </div>
    }
}

impl Reaction {
    fn click(&self, event: &MouseEvent) {
        let Some(host) = bridge::cell_index(event) else {
            return;
        };
        self.cursor.set(host);
        if event.shift_key() {
            self.explain(host);
        } else {
            self.set(host, self.next(host));
        }
    }

    fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(host) = bridge::cell_index(event) else {
            return;
        };
        match event.key().as_str() {
            "h" => self.set(host, HealthChoice::Healthy),
            "d" => self.set(host, HealthChoice::Degraded),
            "u" => self.set(host, HealthChoice::Unhealthy),
            "Enter" | " " => self.set(host, self.next(host)),
            "w" => self.explain(host),
            key => {
                let Some(target) = self.target(key, host) else {
                    return;
                };
                self.cursor.set(target);
                bridge::focus_host(&format!("{}/{target}", self.id));
            }
        }
        event.prevent_default();
    }

    /// The host after an arrow key.
    fn target(&self, key: &str, host: usize) -> Option<usize> {
        let place = self
            .cells
            .iter()
            .position(|cell| cell.first() == Some(&host))?;
        let last = self.cells.len() - 1;
        let row = || bridge::columns(&format!("{}/{host}", self.id));
        let target = match key {
            "ArrowRight" => place + 1,
            "ArrowLeft" => place.saturating_sub(1),
            "ArrowDown" => place + row(),
            "ArrowUp" => place.saturating_sub(row()),
            "Home" => 0,
            "End" => last,
            _ => return None,
        };
        self.cells.get(target.min(last))?.first().copied()
    }

    fn next(&self, host: usize) -> HealthChoice {
        let priority = self.store.scenario().priority(self.at);
        HealthChoice::after(
            priority.map_or(CoarseHealth::Unhealthy, |priority| health(priority, host)),
        )
    }

    fn set(&self, host: usize, health: HealthChoice) {
        let cell = self.cells.iter().find(|cell| cell.first() == Some(&host));
        if let Some(hosts) = cell {
            self.act.edit(ScenarioEdit::Health {
                priority: self.at,
                hosts: hosts.clone(),
                health,
            });
        }
    }

    fn explain(&self, host: usize) {
        let priority = self.at;
        self.act
            .run(Action::Select(PageFigure::Host(HostAt { priority, host })));
    }
}

fn draw_zone(zone: &Zone, id: &str, current: usize, props: &HostGridProps) -> Html {
    let groups = zone.cells.chunks(GROUP).enumerate().map(|(group, cells)| {
        let is_stop = |cell: &Cell| cell.first() == Some(&current);
        let stop = cells.iter().any(is_stop).then_some(current);
        let scenario = props.store.scenario().clone();
        html! {
            <HostCells key={group} {scenario} at={props.at} id={id.to_owned()} cells={cells.to_vec()} {stop} />
        }
    });
    let all_healthy = zone.healthy == zone.hosts.len();
    let toggle = props.act.editing(ScenarioEdit::Health {
        priority: props.at,
        hosts: zone.hosts.clone(),
        health: if all_healthy {
            HealthChoice::Unhealthy
        } else {
            HealthChoice::Healthy
        },
    });
    let figure = PageFigure::Zone(props.at, zone.index);
    let share = FigureButton {
        test: Some(format!("share-zone-{id}/{}", zone.index)),
        of: format!("{} of {id}", zone.name),
        text: decimal(zone.share),
        selected: props.store.selected == Some(figure),
        onclick: props.act.select(figure),
    };
    let share = share.view();
    let verb = if all_healthy { "fail" } else { "restore" };
    html! {
        <div class="zone">
            <div class="zone-head">
                <span>{ named(&props.store.names, &zone.name) }</span>
                { Button {
                    class: "quiet",
                    test: None,
                    name: Some(format!("{verb} all hosts of {} in {id}", zone.name)),
                    text: verb.into(),
                    disabled: false,
                    onclick: toggle,
                }.view() }
                { share }
                <span class="zone-count">{ format!("{}/{}", zone.healthy, zone.hosts.len()) }</span>
            </div>
            <div class="grid" role="group" aria-label={format!("Hosts of {id}, {}: arrow keys move, Enter changes health, h healthy, d degraded, u unhealthy, w why", zone.name)}>
                { for groups }
            </div>
        </div>
    }
}

fn zones(priority: &Priority, row: Option<&PriorityReport>) -> Vec<Zone> {
    let each = priority.endpoints.len().div_ceil(MOST_CELLS).max(1);
    // A priority without a row is omitted by its aggregate and has no hosts.
    let rows = row.map_or(&[][..], |row| &row.localities);
    rows.iter()
        .enumerate()
        .filter(|(_, zone)| !zone.hosts.is_empty())
        .map(|(index, zone)| Zone {
            index,
            share: zone.share,
            name: zone.title(),
            healthy: zone.healthy,
            hosts: zone.hosts.clone(),
            cells: zone.hosts.chunks(each).map(<[usize]>::to_vec).collect(),
        })
        .collect()
}
