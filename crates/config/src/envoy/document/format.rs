//! The format of an input: JSON or YAML.
//!
//! Envoy's own YAML reader turns fractions into strings: `version: 1.0` is the string "1.0".
//! Control planes and tools that read YAML and pass JSON to Envoy turn them into numbers, and then
//! no subset with the string matches. [`Format::YamlAsJson`] reads as these tools do.

use crate::{
    Diagnostic,
    node::{self, Document},
};

/// An input format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// YAML as Envoy reads it; needs the feature `yaml`.
    Yaml,
    /// YAML that reaches Envoy as JSON, as from control planes: `1.5` is a number, while Envoy's
    /// own YAML reader reads a string.
    YamlAsJson,
    /// Protobuf's text format.
    #[cfg(feature = "textproto")]
    TextProto,
}

impl Format {
    /// Guesses the format from the file extension, or else from the text: JSON begins with a
    /// bracket.
    ///
    /// # Examples
    /// ```
    /// use spillgate_config::envoy::Format;
    ///
    /// assert_eq!(Format::guess("envoy.json", ""), Format::Json);
    /// assert_eq!(Format::guess("-", "{}"), Format::Json);
    /// ```
    #[must_use]
    pub fn guess(name: &str, text: &str) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let is = |wanted: &str| ending.is_some_and(|e| e.eq_ignore_ascii_case(wanted));
        if is("json") {
            return Self::Json;
        }
        if is("yaml") || is("yml") {
            return Self::Yaml;
        }
        #[cfg(feature = "textproto")]
        if is("textproto")
            || is("pbtxt")
            || is("pb_text")
            || is("txtpb")
            || node::is_likely_textproto(text)
        {
            return Self::TextProto;
        }
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with(['{', '[']) {
            Self::Json
        } else {
            Self::Yaml
        }
    }

    /// Parses a text of this format.
    ///
    /// # Errors
    /// The first syntax error, or YAML in a build without the feature `yaml`.
    #[allow(clippy::result_large_err, reason = "called once for each text")]
    pub fn parse(self, text: &str) -> Result<Document<'_>, Diagnostic> {
        match self {
            #[cfg(feature = "yaml")]
            Self::Json => node::read_lenient_json(text),
            #[cfg(not(feature = "yaml"))]
            Self::Json => node::read_json(text),
            #[cfg(feature = "yaml")]
            Self::Yaml => node::read_yaml(text, node::Scalars::Envoy),
            #[cfg(feature = "yaml")]
            Self::YamlAsJson => node::read_yaml(text, node::Scalars::Json),
            #[cfg(feature = "textproto")]
            Self::TextProto => node::read_textproto(text),
            #[cfg(not(feature = "yaml"))]
            Self::Yaml | Self::YamlAsJson => Err(Diagnostic::error(
                "config/format",
                "this build reads JSON only",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_extension_has_precedence() {
        assert_eq!(Format::guess("a.json", "x: 1"), Format::Json);
        assert_eq!(Format::guess("dir.d/a.YML", "{}"), Format::Yaml);
        assert_eq!(Format::guess("-", " \n{\"a\": 1}"), Format::Json);
        assert_eq!(Format::guess("-", "[]"), Format::Json);
        assert_eq!(Format::guess("envoy.conf", "a: 1"), Format::Yaml);
        assert_eq!(Format::guess("", ""), Format::Yaml);
    }
}
