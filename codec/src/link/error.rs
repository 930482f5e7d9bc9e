//! Why a link cannot be opened.

use core::fmt;

use super::ScenarioError;

/// What is wrong with a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// It does not begin with a version, a codec and a dot.
    NotALink,
    /// A version that is not known.
    Version(char),
    /// A codec that is not known.
    Codec(char),
    /// A character that the payload cannot have.
    Character(char),
    /// Longer than any link of ours.
    TooLong,
    /// The checksum does not match: cut short, or changed on the way.
    Checksum,
    /// The checksum matches, but the payload makes no sense: what could not be read.
    Payload(&'static str),
    /// The payload is read, but is no scenario.
    Scenario(ScenarioError),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str(
                "it does not begin as links of the page do (a version, a codec and a dot)",
            ),
            Self::Version(version) => write!(
                f,
                "its version is \"{version}\", and only version 1 is known"
            ),
            Self::Codec(codec) => write!(
                f,
                "its codec is \"{codec}\", and only \"g\" and \"h\" are known"
            ),
            Self::Character(c) => write!(f, "it has the character \"{c}\", which no link has"),
            Self::TooLong => f.write_str("it is longer than 64 kB"),
            Self::Checksum => {
                f.write_str("its checksum does not match: it was cut short or changed on the way")
            }
            Self::Payload(what) => write!(f, "its {what} cannot be read"),
            Self::Scenario(error) => write!(f, "{error}"),
        }
    }
}

impl From<ScenarioError> for LinkError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error)
    }
}
