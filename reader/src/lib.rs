//! The page's modules that read the texts that users paste.
//!
//! The readers of all formats and the lint rules are larger than the page, and only an import needs
//! them. So they are separate modules, which the page fetches on first use: one for Envoy
//! configurations, one for documents of Kuma and Istio, one that runs scenarios of the Timeline. A
//! module takes texts and returns one answer: [`answer`], [`mesh_answer`] or [`simulation_answer`].
//!
//! The modules do not depend on the page or a browser, keep no state between texts, and make no
//! requests. `www/reader.js` uses only [`exports`].
#![no_std]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;
// For the allocator, the panic handler and thread-local state.
extern crate std;

#[cfg(feature = "envoy")]
mod answer;
pub mod exports;
mod memory;
#[cfg(feature = "mesh")]
mod mesh;
#[cfg(feature = "envoy")]
mod places;
#[cfg(feature = "envoy")]
mod reading;
#[cfg(feature = "envoy")]
mod regex;
mod report;
#[cfg(feature = "simulation")]
mod simulation;

#[cfg(feature = "envoy")]
pub use answer::answer;
#[cfg(feature = "mesh")]
pub use mesh::mesh_answer;
#[cfg(all(feature = "mesh", not(feature = "envoy")))]
use mesh_answer as answer;
#[cfg(feature = "simulation")]
pub use simulation::simulation_answer;
#[cfg(all(feature = "simulation", not(any(feature = "envoy", feature = "mesh"))))]
use simulation_answer as answer;
