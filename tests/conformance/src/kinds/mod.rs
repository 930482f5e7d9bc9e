//! The figures of the engine for each kind of vector.
//!
//! Each kind reads its input into a type that rejects unknown fields, calls the public functions of the
//! engine, and names the figures as in the vectors.

mod bounded;
pub(super) mod grpc;
mod hashing;
mod health;
mod least_request;
mod localities;
pub(super) mod mesh;
mod priorities;
mod random;
mod retries;
mod sessions;
mod tables;
mod turns;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

type Figures = Map<String, Value>;
/// Some kinds look up figures at the points that `expect` has.
type Find = fn(&Value, &Figures) -> Result<Figures, String>;

/// The kinds with their functions.
const KINDS: [(&str, Find); 24] = [
    ("priority_load", priorities::priority_load),
    ("choose_priority", priorities::choose),
    ("aggregate", priorities::aggregate),
    ("host_health", health::host_health),
    ("hash", hashing::hash),
    ("hash_policy", hashing::hash_policy),
    ("ring_hash", tables::ring_hash),
    ("maglev", tables::maglev),
    ("round_robin", turns::round_robin),
    ("edf", turns::edf),
    ("edf_first_pick", turns::edf_first_pick),
    ("random_lb", random::random_lb),
    ("least_request", least_request::least_request),
    ("least_request_weighted", least_request::weighted),
    ("slow_start", least_request::slow_start),
    ("locality_wrr", localities::weighted),
    ("zone_aware", localities::zone_aware),
    ("override_status", sessions::override_status),
    ("retry_priority", retries::retry_priority),
    ("host_source", retries::host_source),
    ("bounded_load", bounded::bounded_load),
    ("bounded_load_shuffle", bounded::shuffle),
    ("bounded_load_factor", bounded::factor),
    ("bounded_load_sequence", bounded::sequence),
];

/// The figures of a vector.
pub(super) fn find(kind: &str, input: &Value, asked: &Figures) -> Result<Figures, String> {
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, find)) => find(input, asked),
        None => Err(format!("unknown kind {kind:?}")),
    }
}

/// Reads an input; unknown fields are errors.
fn read<T: DeserializeOwned>(input: &Value) -> Result<T, String> {
    T::deserialize(input).map_err(|error| format!("input: {error}"))
}

/// Reads a field of `expect`, if present.
fn read_field<T: DeserializeOwned>(asked: &Figures, name: &str) -> Result<Option<T>, String> {
    asked
        .get(name)
        .map(|value| T::deserialize(value).map_err(|error| format!("expect.{name}: {error}")))
        .transpose()
}

/// An object with these figures.
fn figures<const N: usize>(figures: [(&str, Value); N]) -> Figures {
    figures
        .into_iter()
        .map(|(name, value)| (name.into(), value))
        .collect()
}

/// An unsigned 64-bit number: a decimal string, or a JSON number if it fits.
#[derive(serde::Deserialize, Clone, Debug)]
#[serde(untagged)]
enum Wide {
    Number(u64),
    Text(String),
}

impl Wide {
    /// The value of the number.
    fn get(&self) -> Result<u64, String> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => text
                .parse()
                .map_err(|_| format!("{text:?} is not an unsigned 64-bit number")),
        }
    }

    /// The same form as in the input.
    fn shown(&self) -> Value {
        match self {
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
        }
    }
}
