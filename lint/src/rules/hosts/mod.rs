//! Hosts: duplicate addresses, weights that leave a host without its share, and hosts that stay after
//! their removal.

pub(crate) mod addresses;
pub(crate) mod removal;
pub(crate) mod weights;
