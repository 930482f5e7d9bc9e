//! Which child of a folder needs which, and the cycles among them.

use std::collections::{BTreeMap, BTreeSet};

/// Places printed for an edge; the rest is a number.
const SHOWN: usize = 4;

/// The places that make one child need another: `from -> to`.
type Edges = BTreeMap<(String, String), BTreeSet<String>>;

/// The edges of every folder, by the path of the folder's module.
#[derive(Default)]
pub struct Graph {
    folders: BTreeMap<Vec<String>, Edges>,
}

impl Graph {
    /// Adds an edge of `place`: the module `from` needs `to`. An edge belongs to the deepest folder
    /// that holds both; an edge between a module and its ancestor does not count.
    pub fn add(&mut self, from: &[String], to: &[String], place: String) {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let (Some(child), Some(other)) = (from.get(common), to.get(common)) else {
            return;
        };
        let folder = self.folders.entry(from[..common].to_vec()).or_default();
        let edge = folder.entry((child.clone(), other.clone())).or_default();
        edge.insert(place);
    }

    /// Every cycle as text; `source` is the path of the crate's sources.
    pub fn cycles(&self, source: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (folder, edges) in &self.folders {
            let mut path = vec![source];
            path.extend(folder.iter().map(String::as_str));
            for members in rings(edges) {
                found.push(described(&path.join("/"), &members, edges));
            }
        }
        found
    }
}

/// The sets of children of which each reaches each other.
fn rings(edges: &Edges) -> Vec<BTreeSet<&str>> {
    let names: BTreeSet<&str> = edges.keys().map(|(from, _)| from.as_str()).collect();
    let mut left = names.clone();
    let mut rings = Vec::new();
    for name in names {
        if !left.contains(name) {
            continue;
        }
        let reached = reached(name, edges);
        let back = |other: &&str| self::reached(other, edges).contains(name);
        let ring: BTreeSet<&str> = reached.iter().copied().filter(back).collect();
        left.retain(|other| !ring.contains(other));
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
}

/// Everything that `name` needs, directly or through others.
fn reached<'e>(name: &str, edges: &'e Edges) -> BTreeSet<&'e str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![name];
    while let Some(at) = next.pop() {
        let needed = edges.keys().filter(|(from, _)| from == at);
        for (_, to) in needed {
            if reached.insert(to.as_str()) {
                next.push(to);
            }
        }
    }
    reached
}

fn described(folder: &str, members: &BTreeSet<&str>, edges: &Edges) -> String {
    let names: Vec<&str> = members.iter().copied().collect();
    let mut text = format!("{folder}: cycle of {}", names.join(", "));
    let within = |(from, to): &(String, String)| {
        members.contains(from.as_str()) && members.contains(to.as_str())
    };
    for ((from, to), places) in edges.iter().filter(|(edge, _)| within(edge)) {
        let shown: Vec<&str> = places.iter().take(SHOWN).map(String::as_str).collect();
        text += &format!("\n          {from} -> {to}: {}", shown.join(", "));
        if places.len() > SHOWN {
            text += &format!(" and {} more", places.len() - SHOWN);
        }
    }
    text
}
