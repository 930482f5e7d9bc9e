//! Errors of unreadable links.

use alloc::boxed::Box;
use core::fmt;

use super::ScenarioError;

/// Why a link is unreadable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// It does not start with a version, a codec and a dot.
    NotALink,
    /// An unknown version.
    Version(char),
    /// An unknown codec.
    Codec(char),
    /// A character that is not base64url.
    Character(char),
    /// Longer than the maximum length of a link.
    TooLong,
    /// The checksum does not match: the link is truncated or changed.
    Checksum,
    /// The checksum matches, but the payload has an invalid value, which the string names.
    Payload(&'static str),
    /// The payload is readable, but not a valid scenario.
    Scenario(ScenarioError),
    /// The link compares two scenarios, and the old one is unreadable.
    OldSide(Box<LinkError>),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => {
                f.write_str("not a Spillgate link; expected a version, a codec and a dot")
            }
            Self::Version(version) => write!(f, "unknown version \"{version}\"; expected 1"),
            Self::Codec(codec) => write!(f, "unknown codec \"{codec}\"; expected g or h"),
            Self::Character(c) => write!(f, "invalid character \"{c}\""),
            Self::TooLong => f.write_str("link exceeds 64 kB"),
            Self::Checksum => f.write_str("wrong checksum: the link is truncated or changed"),
            Self::Payload(what) => write!(f, "invalid {what}"),
            Self::Scenario(error) => write!(f, "{error}"),
            Self::OldSide(error) => write!(f, "the old side of the comparison: {error}"),
        }
    }
}

impl From<ScenarioError> for LinkError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error)
    }
}
