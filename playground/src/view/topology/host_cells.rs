//! The cells of a few hosts.
//!
//! A grid has up to a thousand cells, and most inputs change few of them. So its cells are in groups, and
//! only a group with a cell that looks different is rendered again.

use std::rc::Rc;

use spillgate_core::model::{CoarseHealth, Priority};
use spillgate_scenario::{EditedScenario, PriorityAt, plural};
use yew::prelude::*;

use crate::view::parts::health_class;

/// The cells of a group.
pub(super) const GROUP: usize = 40;

/// The hosts of a cell: usually one, at least one.
pub(super) type Cell = Vec<usize>;

#[derive(Properties)]
pub(super) struct HostCellsProps {
    /// The clusters.
    pub(super) scenario: Rc<EditedScenario>,
    /// The priority of the cells, and its id.
    pub(super) at: PriorityAt,
    pub(super) id: AttrValue,
    pub(super) cells: Vec<Cell>,
    /// The first host of the cell that is the tab stop, if it is one of these.
    pub(super) stop: Option<usize>,
}

impl HostCellsProps {
    fn priority(&self) -> Option<&Priority> {
        self.scenario.priority(self.at)
    }

    fn looks(&self) -> impl Iterator<Item = CellLook<'_>> {
        let looks = self.cells.iter().map(move |cell| {
            let first = cell.first().copied()?;
            let priority = self.priority()?;
            let host = priority.endpoints.get(first);
            Some(CellLook {
                first,
                hosts: cell.len(),
                address: host.map_or("", |host| &host.address),
                health: health(priority, first),
            })
        });
        looks.flatten()
    }
}

/// Cells are compared by what they show, not by the scenario that they are from.
impl PartialEq for HostCellsProps {
    fn eq(&self, other: &Self) -> bool {
        self.stop == other.stop
            && self.id == other.id
            && self.cells == other.cells
            && self.looks().eq(other.looks())
    }
}

/// What a cell shows.
#[derive(PartialEq)]
struct CellLook<'a> {
    /// The first host.
    first: usize,
    /// The number of hosts.
    hosts: usize,
    /// The address of the first host.
    address: &'a str,
    health: CoarseHealth,
}

/// A button for each cell.
#[component]
pub(super) fn HostCells(props: &HostCellsProps) -> Html {
    html! { <>{ for props.looks().map(|look| draw(&look, props)) }</> }
}

fn draw(look: &CellLook<'_>, props: &HostCellsProps) -> Html {
    let first = look.first;
    let (class, word) = health_class(look.health);
    let address = look.address;
    let label = match look.hosts {
        1 => format!("{address}, {word}"),
        more => format!("{} from {address}, {word}", plural(more, "host")),
    };
    let tabindex = if props.stop == Some(first) { "0" } else { "-1" };
    html! {
        <button type="button" key={first} class={classes!("host", class)} data-host={format!("{}/{first}", props.id)} data-index={first.to_string()}
            data-health={word} {tabindex} aria-label={label.clone()} title={label}></button>
    }
}

/// The health of a host; unhealthy without such a host.
pub(super) fn health(priority: &Priority, host: usize) -> CoarseHealth {
    priority
        .endpoints
        .get(host)
        .map_or(CoarseHealth::Unhealthy, |e| e.health.coarse())
}
