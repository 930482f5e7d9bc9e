//! The files of the demo (`envoy-config/demo`): with other ports and places, and with failed hosts.

mod template;
mod topology;

pub use template::DemoTemplate;
pub use topology::{DemoHost, DemoTopology};
