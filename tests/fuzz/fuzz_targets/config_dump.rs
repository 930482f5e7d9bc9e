//! The fuzz target `config_dump`.
#![no_main]

spillgate_fuzz::program!("config_dump");
