//! Numbers that may be texts.

use alloc::string::String;

/// A number or a decimal text (`IntOrString`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KumaNumber {
    /// A whole number.
    Integer(i64),
    /// A text, for example `"12.5"`. Fractions without quotes are kept as text, too.
    Text(String),
}
