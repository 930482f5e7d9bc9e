//! The demo (`envoy-config/demo`): one Envoy with the filter in one of its forms, two clusters of hosts and the
//! page.
//!
//! [`RunningDemo`] is one of them, [`DemoState`] its folder, through which another process changes the
//! health of its hosts, and [`check`] is what must hold.

mod change;
mod check;
mod files;
mod form;
mod ports;
mod running;
mod state;
mod template;
mod topology;

pub use change::{DemoChange, summary};
pub use check::{CheckOutcome, check};
pub use files::DemoFiles;
pub use form::DemoForm;
pub use ports::DemoPorts;
pub use running::RunningDemo;
pub use state::DemoState;
pub use template::DemoTemplate;
pub use topology::{DemoHost, DemoTopology};
