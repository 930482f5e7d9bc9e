//! The runnable configurations in `envoy-config/`: started as their README says, and held to what
//! their READMEs show.
//!
//! A scenario is a folder with an `envoy.yaml`, whose head has the command lines of its Envoys, and a
//! `README.md`, whose `console` blocks are commands with their output. It is copied before it runs,
//! so that commands may change its files; `${SPILLGATE_KEY_1}` and the like become fresh secrets.

mod check;
mod console;
mod folder;
mod options;
mod ports;
mod running;
mod secrets;

pub use check::{Outcome, check, record};
pub use console::{Step, differs, steps};
pub use folder::{Command, Scenario};
pub use options::{Mode, Options, parse};
pub use ports::Ports;
pub use running::Running;
pub use secrets::Secrets;
