//! The playground's modules that read the texts that users paste.
//!
//! The readers of all formats and the lint rules are larger than the playground, and only an import needs
//! them. So they are separate modules, which the playground fetches on first use: one for Envoy
//! configurations, one for documents of Kuma and Istio, one that routes requests for Trace, one
//! that reads and runs scenario files for Sessions, one that simulates health over time for Incident, and one that
//! compares the routes of two configurations for Compare. A module takes texts and returns one answer: [`answer`],
//! [`mesh_answer`], [`route_answer`], [`simulation_answer`], [`incident_answer`] or [`comparison_answer`].
//!
//! The modules do not depend on the playground or a browser, keep no state between texts, and make no
//! requests. `www/reader.js` uses only [`exports`].
//!
//! An answer has clusters, positions and diagnostics as bytes, not as configuration: so the playground
//! contains no configuration reader, a tenth of its size. If a text makes the readers fail, only
//! their worker ends. For the playground, a mesh is a list of clusters, what the proxies of each zone
//! receive (`CLUSTER from ZONE`), so the choice of a cluster is also the choice of the point of
//! view.
//!
//! After 1,000 errors, messages are no longer opened, so the rest of a text costs only its syntax.
//! Warnings have a limit of their own and never hide an error.
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
#[cfg(feature = "comparison")]
mod comparison;
pub mod exports;
#[cfg(feature = "routes")]
mod expressions;
#[cfg(any(
    feature = "comparison",
    feature = "envoy",
    feature = "incident",
    feature = "routes"
))]
mod files;
#[cfg(feature = "incident")]
mod incident;
#[cfg(any(feature = "envoy", feature = "mesh"))]
mod limits;
mod memory;
#[cfg(feature = "mesh")]
mod mesh;
#[cfg(feature = "envoy")]
mod places;
#[cfg(any(
    feature = "envoy",
    feature = "incident",
    feature = "mesh",
    feature = "routes",
    feature = "simulation"
))]
mod position;
#[cfg(feature = "envoy")]
mod reading;
#[cfg(any(feature = "envoy", feature = "incident", feature = "routes"))]
mod regex;
#[cfg(any(feature = "comparison", feature = "routes"))]
mod rejection;
#[cfg(any(
    feature = "envoy",
    feature = "incident",
    feature = "mesh",
    feature = "routes",
    feature = "simulation"
))]
mod remedy;
#[cfg(any(
    feature = "envoy",
    feature = "mesh",
    feature = "routes",
    feature = "simulation"
))]
mod report;
#[cfg(feature = "routes")]
mod routes;
#[cfg(feature = "simulation")]
mod simulation;
#[cfg(any(feature = "envoy", feature = "mesh"))]
mod verdicts;

#[cfg(feature = "envoy")]
pub use answer::answer;
#[cfg(feature = "comparison")]
pub use comparison::comparison_answer;
#[cfg(feature = "incident")]
pub use incident::incident_answer;
#[cfg(feature = "mesh")]
pub use mesh::mesh_answer;
#[cfg(all(feature = "mesh", not(feature = "envoy")))]
use mesh_answer as answer;
#[cfg(feature = "routes")]
pub use routes::route_answer;
#[cfg(feature = "simulation")]
pub use simulation::simulation_answer;

#[cfg(all(
    feature = "comparison",
    not(any(
        feature = "envoy",
        feature = "incident",
        feature = "mesh",
        feature = "routes",
        feature = "simulation"
    ))
))]
use comparison_answer as answer;
#[cfg(all(
    feature = "incident",
    not(any(
        feature = "envoy",
        feature = "mesh",
        feature = "routes",
        feature = "simulation"
    ))
))]
use incident_answer as answer;
#[cfg(all(feature = "routes", not(any(feature = "envoy", feature = "mesh"))))]
use route_answer as answer;
#[cfg(all(
    feature = "simulation",
    not(any(feature = "envoy", feature = "mesh", feature = "routes"))
))]
use simulation_answer as answer;
