//! The outcomes of a request whose routes match only a share of the requests.

use alloc::vec::Vec;

use super::{Headers, RandomNumbers, ReceivedRequest, RouteOutcome, RouteTable};

/// An outcome of a request, and the random numbers that lead to it.
#[derive(Debug)]
pub struct RouteAlternative<'r, H> {
    /// The random numbers; not empty.
    pub numbers: RandomNumbers,
    /// The outcome.
    pub outcome: RouteOutcome<'r, H>,
}

impl RouteTable {
    /// All outcomes of a request. Without routes that have a fraction (`runtime_fraction`), there is
    /// one. The sets of numbers are disjoint and together have all numbers.
    #[must_use]
    pub fn alternatives<'r, H: Headers>(
        &'r self,
        received: &'r ReceivedRequest<'r, H>,
    ) -> Vec<RouteAlternative<'r, H>> {
        let mut rest = RandomNumbers::all();
        let mut found = Vec::new();
        while !rest.is_empty() {
            let (numbers, outcome) = self.route_some(received, &mut rest);
            found.push(RouteAlternative { numbers, outcome });
        }
        found
    }
}
