//! Hosts: duplicate addresses, weights that leave a host without its share, hosts that stay after
//! their removal, and clusters with only one.

pub(crate) mod addresses;
pub(crate) mod logical_dns;
pub(crate) mod removal;
pub(crate) mod weights;
