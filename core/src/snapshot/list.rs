//! Host lists.

/// Indices of hosts in a priority, in configuration order.
#[derive(Debug, Clone, Copy)]
pub struct HostList<'a> {
    hosts: Hosts<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Hosts<'a> {
    All(usize),
    Listed(&'a [u32]),
}

impl<'a> HostList<'a> {
    /// An empty list.
    pub const EMPTY: Self = Self::all(0);

    pub(super) const fn all(count: usize) -> Self {
        Self {
            hosts: Hosts::All(count),
        }
    }

    pub(super) const fn listed(list: &'a [u32]) -> Self {
        Self {
            hosts: Hosts::Listed(list),
        }
    }

    /// The number of hosts.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.hosts {
            Hosts::All(count) => count,
            Hosts::Listed(list) => list.len(),
        }
    }

    /// Whether the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The host at an index of the list.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<usize> {
        match self.hosts {
            Hosts::All(count) => (index < count).then_some(index),
            Hosts::Listed(list) => list.get(index).map(|&host| host as usize),
        }
    }

    /// The index of a host in the list. Binary search, because lists are sorted.
    #[must_use]
    pub fn index_of(&self, host: usize) -> Option<usize> {
        match self.hosts {
            Hosts::All(count) => (host < count).then_some(host),
            Hosts::Listed(list) => list.binary_search(&u32::try_from(host).ok()?).ok(),
        }
    }

    /// All hosts of the list.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone + 'a {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_at_its_index() {
        for list in [HostList::all(4), HostList::listed(&[1, 2, 5, 9])] {
            for (index, host) in list.iter().enumerate() {
                assert_eq!(list.index_of(host), Some(index));
            }
            assert_eq!(list.get(list.len()), None);
            assert_eq!(list.index_of(list.len()), None);
            assert_eq!(list.index_of(7), None);
        }
        assert_eq!(HostList::EMPTY.index_of(0), None);
    }
}
