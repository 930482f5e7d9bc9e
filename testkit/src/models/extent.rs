//! What a model may have in it.

/// Bounds of what is made.
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
    /// Addresses may be names, paths and internal listeners, beside those of the internet.
    pub any_address: bool,
    /// The most entries of a ring or of a Maglev table; at least 16.
    pub largest_table: u64,
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
        }
    }
}
