//! Tests with the client of gRPC, one module for each subject.

mod mesh;
mod peer;
mod shares;
