//! The table of contexts, by the ids that the host assigns.

use crate::http::Http;
use crate::root::Root;

/// One context. Both kinds share one range of ids.
pub(super) enum Context {
    Root(Box<Root>),
    Http(Box<Http>),
}

/// The existing contexts, by ascending id.
///
/// The host counts upwards, so a new context nearly always goes to the end, and only active
/// requests have contexts: a sorted list suffices.
pub(super) struct Contexts(Vec<(u32, Context)>);

impl Contexts {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates a root context, or the context of a request under the root context `root`.
    pub(super) fn create(&mut self, id: u32, root: u32) {
        let context = if root == 0 {
            Context::Root(Box::default())
        } else if let Some(root) = self.root(root) {
            Context::Http(Box::new(root.request()))
        } else {
            return;
        };
        match self.place(id) {
            Ok(place) => {
                if let Some(entry) = self.0.get_mut(place) {
                    entry.1 = context;
                }
            }
            Err(place) => self.0.insert(place, (id, context)),
        }
    }

    /// Removes a context, for the caller to drop.
    pub(super) fn remove(&mut self, id: u32) -> Option<Context> {
        let place = self.place(id).ok()?;
        Some(self.0.remove(place).1)
    }

    pub(super) fn root(&mut self, id: u32) -> Option<&mut Root> {
        match self.get(id)? {
            Context::Root(root) => Some(root),
            Context::Http(_) => None,
        }
    }

    pub(super) fn http(&mut self, id: u32) -> Option<&mut Http> {
        match self.get(id)? {
            Context::Http(http) => Some(http),
            Context::Root(_) => None,
        }
    }

    fn get(&mut self, id: u32) -> Option<&mut Context> {
        let place = self.place(id).ok()?;
        self.0.get_mut(place).map(|(_, context)| context)
    }

    /// The place of an id: `Err` if it is not in the list.
    fn place(&self, id: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |&(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_found_by_id_and_kind() {
        let mut contexts = Contexts::new();
        contexts.create(7, 0);
        for id in [9, 8, u32::MAX, 1] {
            contexts.create(id, 7);
        }
        contexts.create(20, 19);
        assert!(contexts.root(7).is_some() && contexts.http(7).is_none());
        for id in [1, 8, 9, u32::MAX] {
            assert!(contexts.http(id).is_some() && contexts.root(id).is_none());
        }
        assert!(contexts.http(20).is_none(), "unknown root context");
        assert!(contexts.remove(8).is_some() && contexts.remove(8).is_none());
        assert!(contexts.http(8).is_none() && contexts.http(9).is_some());
    }
}
