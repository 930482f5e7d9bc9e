//! Values of mesh documents that their readers do not use.

use alloc::vec::Vec;

use super::{Path, Schema};
use crate::node::{Entry, Node};

/// How a field counts that is not read as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    /// Not at all.
    No,
    /// Whether it is there; its own fields are noted one by one.
    Presence,
    /// With its value, which chooses no host.
    Value,
    /// With its value, which can change which route or host requests get.
    Choice,
}

/// Decides how a field of a message with these entries counts.
pub(crate) type Counts = fn(&Schema, &str, &[Entry<'_>]) -> Noted;

/// A noted value.
#[derive(Debug)]
pub(crate) struct NotedValue {
    /// The address of its node, which finds it again in the tree.
    pub(crate) address: usize,
    pub(crate) path: Path,
    pub(crate) hash: u64,
    /// Whether it can change which route or host requests get.
    pub(crate) can_choose: bool,
}

/// The notes so far, with what decides.
#[derive(Debug)]
pub(super) struct NotedValues {
    pub(super) counts: Counts,
    pub(super) values: Vec<NotedValue>,
}

pub(super) fn address(node: &Node<'_>) -> usize {
    core::ptr::from_ref(node).addr()
}
