//! Runtime values of Envoy: keys whose values replace settings (`layered_runtime`, `/runtime`).
//!
//! A [`RuntimeValue`] is typed as Envoy types it: a text that is a number is one, a struct is a
//! fraction. A setting that expects another type keeps its configured value. [`RUNTIME_KEYS`] lists
//! the keys that Envoy 1.40 reads on the way to a host.

mod entries;
mod keys;
mod value;

pub use entries::{Runtime, RuntimeEntry};
pub use keys::{KeyEffect, RUNTIME_KEYS, RuntimeKey, key_effect};
pub use value::RuntimeValue;
