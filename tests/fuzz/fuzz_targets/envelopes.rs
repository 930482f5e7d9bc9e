//! The fuzz target `envelopes`.
#![no_main]

spillgate_fuzz::program!("envelopes");
