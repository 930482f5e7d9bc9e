//! The values that random models draw from.

/// Bounds of a random model.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The most clusters, priorities, hosts and rules in one place; at least 1.
    pub size: usize,
    /// Numbers in metadata may be any double. Without it they are what Envoy's YAML carries:
    /// whole numbers of 32 bits.
    pub any_number: bool,
    /// Texts may be anything that a JSON text can be. Without it they are names such as people
    /// give.
    pub any_text: bool,
    /// Addresses may be names, paths and internal listeners, in addition to IP addresses.
    pub any_address: bool,
    /// The most entries of a ring or of a Maglev table; at least 16.
    pub largest_table: u64,
    /// Keys, values, zones, weights and factors come from a few, so that hosts, selectors and
    /// criteria meet. Models then also combine settings that no configuration combines.
    pub few: bool,
}

impl Extent {
    /// Everything.
    #[must_use]
    pub const fn all(size: usize) -> Self {
        Self {
            size,
            any_number: true,
            any_text: true,
            any_address: true,
            largest_table: u64::MAX,
            few: false,
        }
    }

    /// Small models whose hosts, selectors and criteria meet, for comparing two implementations.
    #[must_use]
    pub const fn few(size: usize) -> Self {
        Self {
            any_number: false,
            any_text: false,
            any_address: false,
            largest_table: 1024,
            few: true,
            ..Self::all(size)
        }
    }
}
