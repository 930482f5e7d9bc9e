//! Locality policies: merging, differences between the readings, and assignments against a second
//! implementation.

mod differences;
mod istio;
mod merging;
mod routes;
