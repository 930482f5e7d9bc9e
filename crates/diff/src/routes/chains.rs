//! The filter chains of both sides that serve the same connections.

use std::collections::BTreeMap;

use spillgate_config::envoy::ListenerConfig;
use spillgate_core::route::{FilterChainMatch, SourceType};

use crate::RouteDiff;

/// A filter chain of a listener on both sides, one of which can lack it.
pub(super) struct ChainPair<'c> {
    /// The name or the address of the listener.
    pub(super) listener: &'c str,
    old: Option<Chain<'c>>,
    new: Option<Chain<'c>>,
    /// Whether a side has the listener without this filter chain.
    has_listener: bool,
    /// Whether the listener has several filter chains.
    is_one_of_several: bool,
}

/// A filter chain, with its place among those of a side.
type Chain<'c> = (usize, &'c ListenerConfig);

/// Pairs the chains of listeners with the same name or address: first those with the same conditions, whatever their
/// order, then the others in order.
pub(super) fn pairs<'c>(
    old: &'c [ListenerConfig],
    new: &'c [ListenerConfig],
) -> Vec<ChainPair<'c>> {
    let (before, after) = (Listeners::of(old), Listeners::of(new));
    let gone = before.list.iter().map(|(name, _)| *name);
    let gone = gone.filter(|name| !after.places.contains_key(name));
    let names = after.list.iter().map(|(name, _)| *name).chain(gone);
    names
        .flat_map(|name| of_listener(name, before.chains(name), after.chains(name)))
        .collect()
}

fn of_listener<'c>(listener: &'c str, old: &[Chain<'c>], new: &[Chain<'c>]) -> Vec<ChainPair<'c>> {
    let has_listener = !old.is_empty() && !new.is_empty();
    let is_one_of_several = old.len().max(new.len()) > 1;
    let pair = |old, new| ChainPair {
        listener,
        old,
        new,
        has_listener,
        is_one_of_several,
    };
    let mut left = old.to_vec();
    let mut found = Vec::new();
    let mut open = Vec::new();
    for after in new {
        let same = |before: &Chain<'_>| before.1.chain.matches == after.1.chain.matches;
        match left.iter().position(same) {
            Some(at) => found.push(pair(Some(left.remove(at)), Some(*after))),
            None => open.push(*after),
        }
    }
    let count = left.len().max(open.len());
    let (mut left, mut open) = (left.into_iter(), open.into_iter());
    found.extend((0..count).map(|_| pair(left.next(), open.next())));
    found
}

impl<'c> ChainPair<'c> {
    /// The chains, if both sides have one.
    pub(super) fn both(&self) -> Option<(&'c ListenerConfig, &'c ListenerConfig)> {
        Some((self.old?.1, self.new?.1))
    }

    /// The difference of a chain that one side lacks.
    pub(super) fn one_sided(&self) -> RouteDiff {
        let nothing = if self.has_listener {
            "no filter chain"
        } else {
            "no listener"
        };
        let text = |of: Option<Chain<'_>>| {
            of.map_or_else(|| nothing.to_owned(), |(_, listener)| served(listener))
        };
        RouteDiff {
            listener: self.listener.to_owned(),
            before: text(self.old),
            after: text(self.new),
            ..RouteDiff::default()
        }
    }

    /// The conditions of the chain, if the listener has several.
    pub(super) fn label(&self) -> Option<String> {
        let (_, chain) = self.new.or(self.old).filter(|_| self.is_one_of_several)?;
        Some(chain.chain.matches.as_ref().map_or_else(
            || String::from("default filter chain"),
            |matches| format!("filter chain {}", conditions(matches)),
        ))
    }

    /// The places of the chains among those of each side.
    pub(super) fn places(&self) -> [Option<usize>; 2] {
        [self.old, self.new].map(|of| of.map(|(at, _)| at))
    }
}

/// The filter chains of a side, by the name or the address of their listeners.
struct Listeners<'c> {
    list: Vec<(&'c str, Vec<Chain<'c>>)>,
    places: BTreeMap<&'c str, usize>,
}

impl<'c> Listeners<'c> {
    fn of(listeners: &'c [ListenerConfig]) -> Self {
        let mut found = Self {
            list: Vec::new(),
            places: BTreeMap::new(),
        };
        for (at, listener) in listeners.iter().enumerate() {
            let name = match listener.name.as_str() {
                "" => listener.address.as_str(),
                name => name,
            };
            let place = *found.places.entry(name).or_insert(found.list.len());
            match found.list.get_mut(place) {
                Some((_, chains)) => chains.push((at, listener)),
                None => found.list.push((name, vec![(at, listener)])),
            }
        }
        found
    }

    fn chains(&self, name: &str) -> &[Chain<'c>] {
        let place = self.places.get(name).and_then(|at| self.list.get(*at));
        place.map_or(&[], |(_, chains)| chains)
    }
}

fn served(listener: &ListenerConfig) -> String {
    let hosts = listener.routes.virtual_hosts.iter();
    match hosts.map(|host| host.routes.len()).sum::<usize>() {
        1 => String::from("1 route"),
        count => format!("{count} routes"),
    }
}

/// The conditions by Envoy's names of their fields.
fn conditions(matches: &FilterChainMatch) -> String {
    let texts = |values: &[String]| values.join(", ");
    let ports = |values: &[u16]| texts(&values.iter().map(u16::to_string).collect::<Vec<_>>());
    let ranges = |values: &[spillgate_core::route::AddressRange]| {
        let each = values
            .iter()
            .map(|of| format!("{}/{}", of.address, of.length));
        texts(&each.collect::<Vec<_>>())
    };
    let all = [
        ("server_names", texts(&matches.server_names)),
        (
            "transport_protocol",
            matches.transport_protocol.clone().unwrap_or_default(),
        ),
        (
            "application_protocols",
            texts(&matches.application_protocols),
        ),
        (
            "destination_port",
            ports(matches.destination_port.as_slice()),
        ),
        ("prefix_ranges", ranges(&matches.destination)),
        (
            "direct_source_prefix_ranges",
            ranges(&matches.direct_source),
        ),
        (
            "source_type",
            String::from(match matches.source_type {
                SourceType::Any => "",
                SourceType::SameIpOrLoopback => "SAME_IP_OR_LOOPBACK",
                SourceType::External => "EXTERNAL",
            }),
        ),
        ("source_prefix_ranges", ranges(&matches.source)),
        ("source_ports", ports(&matches.source_ports)),
    ];
    let stated = all.into_iter().filter(|(_, values)| !values.is_empty());
    let stated: Vec<String> = stated
        .map(|(field, values)| format!("{field} {values}"))
        .collect();
    if stated.is_empty() {
        String::from("without conditions")
    } else {
        format!("with {}", stated.join(", "))
    }
}
