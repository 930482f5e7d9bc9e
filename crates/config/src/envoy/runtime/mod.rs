//! Runtime values of an input: the layers of a bootstrap, or the final values of a running Envoy.

mod effective;
mod layers;
mod limits;
mod running;

pub(super) use effective::find_runtime;
pub(super) use layers::{RuntimeLayers, read_layers};
pub(super) use running::is_runtime;
