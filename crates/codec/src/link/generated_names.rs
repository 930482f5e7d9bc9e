//! Generated names for the clusters and localities of a scenario, and the same names in texts about it.

use alloc::{
    borrow::ToOwned as _,
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::model::{ClusterKind, Locality};

use super::Scenario;
use crate::view_name::{view_name, view_of};

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Host,
    Cluster,
    Zone,
    Region,
    SubZone,
}

/// The keys of selectors, and what their values name. A key that ends like another one is before it.
const KEYS: [(&str, Named); 6] = [
    ("sub_zone=", Named::SubZone),
    ("zone=", Named::Zone),
    ("zone(", Named::Zone),
    ("region=", Named::Region),
    ("cluster=", Named::Cluster),
    ("host=", Named::Host),
];

/// The keys of selectors and the functions of expectations, which a name can equal.
const WORDS: [&str; 10] = [
    "zone", "region", "sub_zone", "locality", "priority", "cluster", "host", "subset", "load",
    "share",
];

/// The generated texts by the texts that they replace, which are sorted: a tree would cost more bytes in
/// the playground's module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GeneratedNames {
    texts: Vec<(String, Vec<(Named, String)>)>,
    longest: usize,
    counts: [usize; 4],
}

impl GeneratedNames {
    /// The names of the clusters, their members and their localities, in order: `c1`, `region-1`, `zone-1`
    /// and `sub-zone-1` are the first ones.
    pub(super) fn of<O>(scenario: &Scenario<O>) -> Self {
        let mut names = Self::default();
        names.add_names(scenario);
        names
    }

    /// Adds the names of a further scenario; those that are known keep their generated ones.
    pub(super) fn add_names<O>(&mut self, scenario: &Scenario<O>) {
        for cluster in scenario.clusters() {
            self.add_cluster(&cluster.name);
        }
        for cluster in scenario.clusters() {
            match &cluster.kind {
                ClusterKind::Plain(plain) => {
                    for priority in &plain.priorities {
                        for of in &priority.localities {
                            self.add_locality(&of.locality);
                        }
                    }
                }
                ClusterKind::Aggregate(_)
                | ClusterKind::Composite(_)
                | ClusterKind::OriginalDst(_) => {
                    for member in cluster.members() {
                        self.add_cluster(member);
                    }
                }
            }
        }
    }

    /// Adds the generated address of a host.
    pub(super) fn add_host(&mut self, address: &str, generated: &str) {
        if address != generated {
            self.add(Named::Host, address, || generated.into());
        }
    }

    /// The generated name of a cluster.
    pub(super) fn cluster(&self, name: &str) -> String {
        self.generated(Named::Cluster, name)
    }

    /// The locality with generated names; an absent name stays absent.
    pub(super) fn locality(&self, locality: &Locality) -> Locality {
        Locality {
            region: self.generated(Named::Region, &locality.region),
            zone: self.generated(Named::Zone, &locality.zone),
            sub_zone: self.generated(Named::SubZone, &locality.sub_zone),
        }
    }

    /// A selector, an expectation or another text about the scenario, with generated names and addresses.
    pub(super) fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((length, generated)) = self.at(text, at) {
                out.push_str(generated);
                at += length;
            } else {
                let next = rest.chars().next();
                out.extend(next);
                at += next.map_or(1, char::len_utf8);
            }
        }
        out
    }

    /// The longest known name that is a whole word at a place of a text: its length and its replacement.
    fn at(&self, text: &str, at: usize) -> Option<(usize, &str)> {
        if !is_boundary(text, at) {
            return None;
        }
        let before = text.get(..at)?;
        let key = KEYS.iter().find(|(key, _)| before.ends_with(key));
        let longest = (text.len() - at).min(self.longest);
        (1..=longest).rev().find_map(|length| {
            let name = text.get(at..at + length)?;
            let found = Some(self.known(name)).filter(|found| !found.is_empty())?;
            let after = text.get(at + length..)?;
            let is_key = after.starts_with(['=', '(']) && WORDS.contains(&name);
            if is_key || !is_boundary(text, at + length) {
                return None;
            }
            let keyed = key.and_then(|(_, named)| found.iter().find(|(of, _)| of == named));
            let (_, generated) = keyed.or_else(|| found.first())?;
            Some((length, generated.as_str()))
        })
    }

    /// The cluster of a mesh is named for its zone too, which screens read.
    fn add_cluster(&mut self, name: &str) {
        match view_of(name) {
            None => self.add_numbered(Named::Cluster, name),
            Some((cluster, zone)) => {
                self.add_numbered(Named::Cluster, cluster);
                self.add_numbered(Named::Zone, zone);
                let cluster = self.generated(Named::Cluster, cluster);
                let zone = self.generated(Named::Zone, zone);
                self.add(Named::Cluster, name, || view_name(&cluster, &zone));
            }
        }
    }

    fn add_locality(&mut self, locality: &Locality) {
        self.add_numbered(Named::Region, &locality.region);
        self.add_numbered(Named::Zone, &locality.zone);
        self.add_numbered(Named::SubZone, &locality.sub_zone);
    }

    fn add_numbered(&mut self, named: Named, name: &str) {
        let (prefix, place) = match named {
            Named::Host => return,
            Named::Cluster => ("c", 0),
            Named::Zone => ("zone-", 1),
            Named::Region => ("region-", 2),
            Named::SubZone => ("sub-zone-", 3),
        };
        if name.is_empty() || self.known(name).iter().any(|(of, _)| *of == named) {
            return;
        }
        let mut number = 0;
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
            number = *count;
        }
        self.add(named, name, || format!("{prefix}{number}"));
    }

    fn add(&mut self, named: Named, name: &str, generated: impl FnOnce() -> String) {
        self.longest = self.longest.max(name.len());
        match self.place(name) {
            Ok(place) => {
                let known = self.texts.get_mut(place).map(|(_, known)| known);
                if let Some(known) = known
                    && !known.iter().any(|(of, _)| *of == named)
                {
                    known.push((named, generated()));
                }
            }
            Err(place) => {
                let entry = (name.to_owned(), [(named, generated())].into());
                self.texts.insert(place, entry);
            }
        }
    }

    /// The place of a text, or the place where it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.texts
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// What a text names; empty if it is not known.
    fn known(&self, name: &str) -> &[(Named, String)] {
        let found = self.place(name).ok().and_then(|at| self.texts.get(at));
        found.map_or(&[], |(_, known)| known)
    }

    fn generated(&self, named: Named, name: &str) -> String {
        let found = self.known(name).iter().find(|(of, _)| *of == named);
        found.map_or_else(|| name.to_string(), |(_, generated)| generated.clone())
    }
}

/// Whether a word can start or end at a place of a text. All characters beyond ASCII belong to words: the
/// table of letters would cost bytes in the playground's module.
fn is_boundary(text: &str, at: usize) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii();
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at..).and_then(|text| text.chars().next());
    !(before.is_some_and(word) && after.is_some_and(word))
}
