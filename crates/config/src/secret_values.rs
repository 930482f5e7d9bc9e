//! Values in documents that are secrets by a name next to them.

use alloc::vec::Vec;

use spillgate_core::order;

use crate::{
    Diagnostic, Position,
    node::{Node, NodeValue},
    secret_names::is_secret_name,
    secret_text::{NAMES, described, is_one_of, is_secret_path, is_value_field},
};

/// Hides the found values of diagnostics at values whose name is next to them.
pub(crate) fn hide<'n, 'a: 'n>(
    found: &mut [Diagnostic],
    roots: impl IntoIterator<Item = &'n Node<'a>>,
) {
    let with_value = found.iter().filter(|one| one.found.is_some());
    let wanted: Vec<Position> = with_value.filter_map(|one| one.position).collect();
    if wanted.is_empty() {
        return;
    }
    let mut search = Search {
        wanted: order::sorted(wanted, Ord::cmp),
        secret: Vec::new(),
    };
    for root in roots {
        search.visit(root, None);
    }
    let secret = order::sorted(search.secret, Ord::cmp);
    for one in found {
        let is_secret = one
            .position
            .is_some_and(|at| secret.binary_search(&at).is_ok());
        if is_secret {
            one.found = one.found.take().map(described);
        }
    }
}

/// The search for secret values at positions.
struct Search {
    wanted: Vec<Position>,
    secret: Vec<Position>,
}

/// A field, the object that contains it, and what contains that.
struct Place<'p> {
    name: &'p str,
    object: &'p Node<'p>,
    outer: Option<&'p Place<'p>>,
}

impl Search {
    fn visit(&mut self, node: &Node<'_>, place: Option<&Place<'_>>) {
        if let Some(place) = place
            && self.wanted.binary_search(&node.position).is_ok()
            && place.is_secret()
        {
            self.secret.push(node.position);
        }
        match &node.value {
            NodeValue::List(items) => {
                for item in items {
                    self.visit(item, place);
                }
            }
            NodeValue::Map(entries) => {
                for entry in entries {
                    let inner = Place {
                        name: &entry.key.name,
                        object: node,
                        outer: place,
                    };
                    self.visit(&entry.node, Some(&inner));
                }
            }
            _ => {}
        }
    }
}

impl Place<'_> {
    /// Whether the value is a secret by its names, or by a name next to it.
    fn is_secret(&self) -> bool {
        let mut places = core::iter::successors(Some(self), |place| place.outer);
        let mut values = core::iter::successors(Some(self), |place| place.outer)
            .take_while(|place| is_value_field(place.name));
        values.any(|place| has_secret_name(place.object))
            || is_secret_path(core::iter::from_fn(|| {
                places.next().map(|place| place.name)
            }))
    }
}

/// Whether an object has a secret name for its value.
fn has_secret_name(object: &Node<'_>) -> bool {
    let NodeValue::Map(entries) = &object.value else {
        return false;
    };
    let names = entries
        .iter()
        .filter(|entry| is_one_of(&entry.key.name, &NAMES));
    let mut names = names.map(|entry| &entry.node.value);
    names.any(|name| matches!(name, NodeValue::String(name) if is_secret_name(name)))
}
