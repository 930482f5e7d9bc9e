//! Hosts in inspectors: their names, and how the user selects one.

use crate::view::parts::{Button, cell};
use spillgate_core::snapshot::HostRef;
use spillgate_scenario::{HostAt, cut};
use yew::prelude::*;

use crate::view::screens::trace::{TraceStage, host_place};

/// The longest addresses that are shown whole, relative to the font size.
const ADDRESS_ROOM: f64 = 22.0;

/// What all inspectors show and call.
pub(super) struct InspectorHosts<'a> {
    pub(super) stage: &'a TraceStage,
    /// The selected host.
    pub(super) selected: Option<HostRef>,
    /// What a hash table is read with: `The hash of the request`.
    pub(super) number: &'static str,
    /// The host of the request.
    pub(super) chosen: Option<HostRef>,
    pub(super) on_host: &'a Callback<HostAt>,
}

impl InspectorHosts<'_> {
    /// The address of a host.
    pub(super) fn name(&self, host: HostRef) -> &str {
        self.stage.address(host)
    }

    /// Selects a host on click.
    pub(super) fn select(&self, host: HostRef) -> Callback<MouseEvent> {
        self.on_host.reform(move |_| host_place(host))
    }

    /// The first cell of a row: a button that selects the host.
    pub(super) fn head(&self, host: HostRef) -> Html {
        let name = self.name(host).to_owned();
        let of = Button {
            class: "figure address",
            test: None,
            name: Some(format!("Select {name}")),
            text: cut(&name, ADDRESS_ROOM),
            disabled: false,
            onclick: self.select(host),
        };
        html! { <th scope="row" title={name}>{ of.view() }</th> }
    }

    /// The last cell of a row: whether the host serves the request.
    pub(super) fn serves(&self, host: HostRef) -> Html {
        let text = if self.chosen == Some(host) {
            "serves the request"
        } else {
            ""
        };
        cell("text", None, text.into())
    }

    /// The class of the row of a host.
    pub(super) fn row_class(&self, host: HostRef) -> Option<&'static str> {
        (self.selected == Some(host)).then_some("selected")
    }
}

/// Addresses without the beginning and the end that all of them have: `10.0.0.12:80` and
/// `10.0.0.7:80` are `12` and `7`.
pub(super) fn short(addresses: &[&str]) -> Vec<String> {
    let Some((first, others)) = addresses.split_first() else {
        return Vec::new();
    };
    let is_end = |c: char| !c.is_alphanumeric();
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let mut begin = first.chars().count();
    let mut end = begin;
    for other in others {
        begin = begin.min(same(&mut first.chars(), &mut other.chars()));
        end = end.min(same(&mut first.chars().rev(), &mut other.chars().rev()));
    }
    // Names are cut between words only, so that numbers stay whole.
    let begin: String = first.chars().take(begin).collect();
    let begin = begin.rfind(is_end).map_or(0, |at| at + 1);
    let end: String = first.chars().skip(first.chars().count() - end).collect();
    let end = end.find(is_end).map_or(0, |at| end.len() - at);
    let cut = |address: &&str| {
        let all_equal = addresses.iter().all(|other| other == address);
        let middle = address.get(begin..address.len().saturating_sub(end));
        let middle = middle.filter(|middle| !middle.is_empty() && !all_equal);
        middle.unwrap_or(address).to_owned()
    };
    addresses.iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_common_parts() {
        for (addresses, names) in [
            (&["10.0.0.12:80", "10.0.0.17:80"][..], &["12", "17"][..]),
            (&["10.0.0.1:80", "10.0.0.1:81"], &["80", "81"]),
            (&["10.0.0.1:80"], &["10.0.0.1:80"]),
            (
                &["10.0.0.1:80", "10.0.0.1:80"],
                &["10.0.0.1:80", "10.0.0.1:80"],
            ),
            (&["ä.example:1", "ö.example:1"], &["ä", "ö"]),
            (&["a", "ab"], &["a", "ab"]),
            (&[], &[]),
        ] {
            assert_eq!(short(addresses), names, "{addresses:?}");
        }
    }
}
