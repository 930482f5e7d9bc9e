//! The fuzz target `yaml`.
#![no_main]

spillgate_fuzz::program!("yaml");
