//! Locality policies: merging, differences between the readings, and assignments against a second
//! implementation.

mod cache;
mod differences;
mod istio;
mod merging;
mod naive;
mod random;
mod routes;
mod shares;
