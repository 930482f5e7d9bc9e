//! The fuzz target `kuma`.
#![no_main]

spillgate_fuzz::program!("kuma");
