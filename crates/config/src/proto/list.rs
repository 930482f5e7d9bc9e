//! The elements of a repeated field.

use super::Path;
use crate::node::Node;

/// Elements with their paths, in order.
#[derive(Debug)]
pub struct Elements<'n, 'a> {
    path: Path,
    nodes: core::iter::Enumerate<core::slice::Iter<'n, Node<'a>>>,
}

impl<'n, 'a> Elements<'n, 'a> {
    pub(crate) fn new(path: Path, nodes: &'n [Node<'a>]) -> Self {
        Self {
            path,
            nodes: nodes.iter().enumerate(),
        }
    }
}

impl<'n, 'a> Iterator for Elements<'n, 'a> {
    type Item = (Path, &'n Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (index, node) = self.nodes.next()?;
        Some((self.path.index(index), node))
    }
}
