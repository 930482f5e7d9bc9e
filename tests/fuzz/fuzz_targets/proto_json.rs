//! The fuzz target `proto_json`.
#![no_main]

spillgate_fuzz::program!("proto_json");
