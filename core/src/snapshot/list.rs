//! Lists of hosts.

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
    /// No host.
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

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.hosts {
            Hosts::All(count) => count,
            Hosts::Listed(list) => list.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The host at a place of the list.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<usize> {
        match self.hosts {
            Hosts::All(count) => (place < count).then_some(place),
            Hosts::Listed(list) => list.get(place).map(|&host| host as usize),
        }
    }

    /// The place of a host in the list. It takes no longer among many hosts: they are in order.
    #[must_use]
    pub fn place_of(&self, host: usize) -> Option<usize> {
        match self.hosts {
            Hosts::All(count) => (host < count).then_some(host),
            Hosts::Listed(list) => list.binary_search(&u32::try_from(host).ok()?).ok(),
        }
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone + 'a {
        (0..self.len()).filter_map(move |place| self.get(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_at_its_place() {
        for list in [HostList::all(4), HostList::listed(&[1, 2, 5, 9])] {
            for (place, host) in list.iter().enumerate() {
                assert_eq!(list.place_of(host), Some(place));
            }
            assert_eq!(list.place_of(7), None);
        }
        assert_eq!(HostList::EMPTY.place_of(0), None);
    }
}
