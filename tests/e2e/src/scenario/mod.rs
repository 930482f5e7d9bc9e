//! The runnable configurations in `envoy-config/`: started as their README describes, and compared with what
//! their READMEs show.
//!
//! A scenario is a folder with an `envoy.yaml`, whose head has the command lines of its Envoys, and a
//! `README.md`, whose `console` blocks are commands with their output. It is copied before it runs,
//! so that commands may change its files; `${SPILLGATE_KEY_1}` and the like become fresh secrets, and
//! Envoy's `SPILLGATE_KEYS` has a fresh key. The scenarios in `native/` run the dynamic module, which is
//! copied too; the others run the Wasm filter.
//!
//! Outputs are exact, and only `[..]` may differ: they use turns and hashes instead of random
//! draws, and hosts are hashed by name instead of by an address whose port differs in a test. Ports
//! are the numbers after `port_value`, so no list repeats them.

mod check;
mod console;
mod folder;
mod options;
mod ports;
mod running;
mod secrets;

pub use check::{CommandOutcome, check, record};
pub use console::{ReadmeStep, differs, steps};
pub use folder::{EnvoyCommand, ScenarioFolder};
pub use options::{Mode, ScenarioCommand, parse};
pub use ports::ScenarioPorts;
pub use running::Running;
pub use secrets::Secrets;
