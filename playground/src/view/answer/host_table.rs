//! The table of hosts.

use spillgate_scenario::{
    HostAt, HostRow, PageFigure, PageLayout, PriorityReport, ScenarioOutcome, ShortNames, change,
    decimal, fixed, plural,
};
use yew::prelude::*;

use crate::{
    bridge,
    view::{
        Act, Shared,
        parts::{
            FigureButton, bar, cell, color, head, health_class, hidden_caption, named, paint, row,
            scrolled, swatch,
        },
    },
};

/// With more hosts in a priority, equal ones share a row.
const MOST_ROWS: usize = 24;

/// With more hosts, and on a phone, the table is closed at first.
const MOST_OPEN: usize = 30;

/// The longest addresses that are shown whole, relative to the font size.
const ADDRESS_ROOM: f64 = 15.0;

/// A row: equal hosts of a priority, or a single one.
struct Row<'a> {
    first: HostRow<'a>,
    count: usize,
    low: f64,
    high: f64,
    sum: f64,
}

#[derive(PartialEq, Properties)]
pub(crate) struct HostTableProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) size: PageLayout,
}

/// One row per host, or per group of equal hosts. A closed table has no rows; printing opens it.
#[component]
pub(crate) fn HostTable(props: &HostTableProps) -> Html {
    let toggled = use_state(|| None::<bool>);
    let printing = use_state(|| false);
    {
        let printing = printing.setter();
        use_effect_with((), move |()| {
            let listeners = bridge::on_print(move |is_printing| printing.set(is_printing));
            move || drop(listeners)
        });
    }
    let priorities = props.store.outcome.priorities().iter();
    let hosts: usize = priorities.map(|row| row.hosts.len()).sum();
    if hosts == 0 {
        return html! {};
    }
    let at_first = hosts <= MOST_OPEN && props.size == PageLayout::Wide;
    let open = *printing || toggled.unwrap_or(at_first);
    let ontoggle = Callback::from(move |event: Event| {
        // A render can also open or close it.
        let is_open = bridge::is_open(&event);
        if is_open != open {
            toggled.set(Some(is_open));
        }
    });
    html! {
        <details class="by-host" data-test="by-host" {open} {ontoggle}>
            <summary>{ format!("Shares of {}", plural(hosts, "host")) }</summary>
            if open {
                { scrolled("Split by host", table(&props.store, &props.act)) }
            }
        </details>
    }
}

fn table(store: &Shared, act: &Act) -> Html {
    let top = store
        .outcome
        .priorities()
        .iter()
        .filter_map(PriorityReport::per_host)
        .fold(0.0, |top: f64, (_, high)| top.max(high));
    let mut columns = vec![
        ("", "host"),
        ("minor text", "zone"),
        ("text", "health"),
        ("minor", "weight"),
        ("", "share"),
        ("chart text", "bar"),
    ];
    if store.previous.is_some() {
        columns.push(("minor", "change"));
    }
    let bodies = store.outcome.priorities().iter().map(|priority| {
        let rows = rows(store, priority);
        let addresses = rows.iter().map(|row| row.first.endpoint.address.as_str());
        let addresses = ShortNames::of(addresses, ADDRESS_ROOM);
        let rows = rows.iter().map(|host| {
            let address = named(&addresses, &host.first.endpoint.address);
            draw(host, address, priority, top, store, act)
        });
        html! { <tbody key={store.outcome.id(priority)}>{ for rows }</tbody> }
    });
    html! {
        <table class="figures">
            { hidden_caption("Split by host") }
            { head(&columns) }
            { for bodies }
        </table>
    }
}

fn rows<'a>(store: &'a Shared, priority: &'a PriorityReport) -> Vec<Row<'a>> {
    let grouped = priority.hosts.len() > MOST_ROWS;
    let mut rows: Vec<Row<'a>> = Vec::new();
    for host in store.outcome.hosts(priority) {
        let equal = |row: &&mut Row<'_>| {
            let (a, b) = (row.first.endpoint, host.endpoint);
            grouped
                && a.locality == b.locality
                && a.weight == b.weight
                && a.health.coarse() == b.health.coarse()
        };
        if let Some(row) = rows.iter_mut().find(equal) {
            row.count += 1;
            row.low = row.low.min(host.share);
            row.high = row.high.max(host.share);
            row.sum += host.share;
        } else {
            let share = host.share;
            rows.push(Row {
                first: host,
                count: 1,
                low: share,
                high: share,
                sum: share,
            });
        }
    }
    rows
}

fn draw(
    host: &Row<'_>,
    address: Html,
    priority: &PriorityReport,
    top: f64,
    store: &Shared,
    act: &Act,
) -> Html {
    let HostRow { at, endpoint, .. } = host.first;
    let figure = PageFigure::Host(at);
    let selected = store.selected == Some(figure);
    let id = format!("{}/{}", store.outcome.id(priority), at.host);
    let zone = priority.localities.get(endpoint.locality);
    let (class, word) = health_class(endpoint.health.coarse());
    let name = match host.count {
        1 => address,
        more => plural(more, "host").into(),
    };
    let each = if host.high - host.low < 0.05 {
        decimal(host.high)
    } else {
        format!("{}\u{2013}{}", fixed(host.low), decimal(host.high))
    };
    let share = FigureButton {
        test: Some(format!("share-host-{id}")),
        of: endpoint.address.clone(),
        text: each,
        selected,
        onclick: act.select(figure),
    };
    let total = (host.count > 1).then(|| {
        html! { <small class="total">{ format!("total {}", decimal(host.sum)) }</small> }
    });
    let width = if top > 0.0 {
        host.high / top * 100.0
    } else {
        0.0
    };
    let names = &store.names;
    let mut cells = vec![
        html! {
            <th scope="row">{ swatch(priority.place) }<span class="priority-name">{ named(names, &priority.name) }</span>{ " " }<span class="address">{ name }</span></th>
        },
        cell(
            "minor text",
            None,
            zone.map_or_else(Html::default, |zone| named(names, &zone.title())),
        ),
        html! {
            <td class={classes!("text", color(priority.place))}><i class={classes!("host", "mini", class)} aria-hidden="true"></i>{ word }</td>
        },
        cell("minor", None, endpoint.weight.get().to_string().into()),
        cell("", None, html! { <>{ share.view() }{ total }</> }),
        cell(
            "chart",
            None,
            html! {
                <svg width="100%" height="10" aria-hidden="true">{ bar("", 0.0, width, Some(paint(priority.place))) }</svg>
            },
        ),
    ];
    if let Some(before) = &store.previous {
        cells.push(cell("minor", None, changed(host, at, before).into()));
    }
    row(id, selected.then_some("selected"), cells)
}

/// The change since the latest step; that of equal hosts together is not known.
fn changed(host: &Row<'_>, at: HostAt, before: &ScenarioOutcome) -> String {
    match host.count {
        1 => change(host.first.share - before.host_share(at)),
        _ => "\u{2013}".into(),
    }
}
