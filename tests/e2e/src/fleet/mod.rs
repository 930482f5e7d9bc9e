//! Fleets of real Envoys with a local cluster: the loads of `spillgate_sim::fleet` against counted requests.

mod band;
mod random;
mod running;
mod served;

pub use band::{CountedLoad, FAMILY_WISE, is_inside};
pub use random::RandomFleet;
pub use running::serve;
pub use served::ServedFleet;
