//! One field of a message.

/// A field of a message of Envoy's API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiField {
    /// Its name in the proto file.
    pub name: String,
    /// A scalar type (`string`, `uint32`, ..) or the full name of a message or an enum; of a map, that of its values.
    pub kind: String,
    /// How many values it has.
    pub cardinality: Cardinality,
    /// The oneof that it belongs to.
    pub oneof: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Whether Envoy refuses it unless a runtime flag permits it.
    pub disallowed: bool,
}

/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// At most one.
    Single,
    /// A list.
    Repeated,
    /// A map with keys of a scalar type.
    Map,
}
