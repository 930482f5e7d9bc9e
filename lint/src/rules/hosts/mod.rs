//! Hosts: duplicate addresses, and weights that leave a host without its share.

pub(crate) mod addresses;
pub(crate) mod weights;
