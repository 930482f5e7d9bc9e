//! Sessions and override hosts: settings that break them, and destinations that clients can choose.

pub(crate) mod clusters;
pub(crate) mod cookie_paths;
pub(crate) mod dynamic_module;
mod fronts;
pub(crate) mod header_trust;
pub(crate) mod host_list;
pub(crate) mod keys;
pub(crate) mod lifetime;
pub(crate) mod open_chain;
pub(crate) mod override_place;
pub(crate) mod session_hosts;
pub(crate) mod states;
