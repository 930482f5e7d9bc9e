//! Values that may be lists.

use crate::node::{Node, NodeValue};

/// The elements of a list; another value is a list of one.
pub(in crate::envoy) fn elements<'n, 'a>(list: Option<&'n Node<'a>>) -> &'n [Node<'a>] {
    match list {
        None => &[],
        Some(node) => match &node.value {
            NodeValue::List(nodes) => nodes,
            _ => core::slice::from_ref(node),
        },
    }
}
