//! What a shared scenario discloses.

/// What a link or a file discloses in addition to counts, health, weights and settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disclosure {
    /// The addresses and hash keys of hosts, and all names.
    Addresses,
    /// The names of clusters and localities. The hosts get generated addresses
    /// ([`address`](super::address)) and no hash keys, so shares of single hosts under hash policies can
    /// differ.
    Names,
    /// Neither: also the names are generated.
    Shape,
}

impl Disclosure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Addresses, Self::Names, Self::Shape];

    /// Its name where modules and programs exchange it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Addresses => "addresses",
            Self::Names => "names",
            Self::Shape => "shape",
        }
    }

    /// The disclosure with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}
