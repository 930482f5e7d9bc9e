//! The fuzz target `cookies`.
#![no_main]

spillgate_fuzz::program!("cookies");
