//! Where documents and their values are in the input.

use alloc::{string::String, vec::Vec};

use spillgate_core::order;

use crate::{
    Position,
    node::{Node, NodeValue},
    proto::Path,
};

/// The place of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValuePlace {
    /// Number of its file, in the order in which the files were read.
    pub file: usize,
    /// Its path within the file; empty for the whole file.
    pub path: String,
    /// The position of its first character.
    pub position: Position,
}

/// The positions of all values below one value, by their paths relative to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValuePlaces(Vec<PlacedValue>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct PlacedValue {
    path: String,
    position: Position,
    /// The value, ready to print.
    found: String,
    /// The value itself, if it is a short string.
    text: Option<String>,
}

impl ValuePlaces {
    /// The positions of everything in a value.
    pub(super) fn of(node: &Node<'_>) -> Self {
        let mut places = Vec::new();
        collect(node, &Path::root(), &mut places);
        Self(order::sorted(places, |a, b| a.path.cmp(&b.path)))
    }

    /// The position of the value at a path such as `to[0].default`. If there is no such value, the
    /// nearest value that contains its place.
    #[must_use]
    pub fn position(&self, path: &str) -> Option<Position> {
        let mut rest = path;
        loop {
            match self.get(rest) {
                Some(value) => return Some(value.position),
                None if rest.is_empty() => return None,
                None => {}
            }
            rest = rest
                .rfind(['.', '['])
                .and_then(|end| rest.get(..end))
                .unwrap_or_default();
        }
    }

    /// The value at a path, ready to print.
    #[must_use]
    pub fn found(&self, path: &str) -> Option<&str> {
        self.get(path).map(|value| value.found.as_str())
    }

    /// The string at a path.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.get(path)?.text.as_deref()
    }

    /// The place of the value at a path; `root` is the path of the outermost value in its file. The
    /// position is that of the nearest value that contains it.
    pub(super) fn place(&self, file: usize, root: &str, path: &str) -> ValuePlace {
        ValuePlace {
            file,
            path: match (root.is_empty(), path.is_empty()) {
                (true, _) => path.into(),
                (false, true) => root.into(),
                (false, false) => alloc::format!("{root}.{path}"),
            },
            position: self.position(path).unwrap_or(Position::START),
        }
    }

    fn get(&self, path: &str) -> Option<&PlacedValue> {
        let at = self.0.partition_point(|value| value.path.as_str() < path);
        self.0.get(at).filter(|value| value.path == path)
    }

    /// The value's own position.
    #[must_use]
    pub fn start(&self) -> Position {
        self.position("").unwrap_or(Position::START)
    }
}

/// The length of the longest string that may be a misspelled name.
const LONGEST_NAME: usize = 64;

fn collect(node: &Node<'_>, path: &Path, places: &mut Vec<PlacedValue>) {
    places.push(PlacedValue {
        path: path.text(),
        position: node.position,
        found: node.describe(),
        text: match &node.value {
            NodeValue::String(text) if text.len() <= LONGEST_NAME => Some(text.as_ref().into()),
            _ => None,
        },
    });
    match &node.value {
        NodeValue::List(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &path.index(index), places);
            }
        }
        NodeValue::Map(entries) => {
            for entry in entries {
                let path = path.field(String::from(entry.key.name.as_ref()));
                collect(&entry.node, &path, places);
            }
        }
        _ => {}
    }
}
