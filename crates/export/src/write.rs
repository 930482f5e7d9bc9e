//! One function for all formats.

use spillgate_config::{
    Diagnostic,
    write::{Written, envoy_json, envoy_yaml, hosts_csv},
};

use super::{
    ExportSource, FileFormat, PictureColors, comments::with_comments, filter::filter_file,
    markdown::markdown, picture::picture, scenario::with_question, target::named_target,
};

/// The text of a file, and warnings about what it omits.
///
/// # Errors
/// Every setting that the format cannot express, an unknown or ambiguous target, or clusters that the playground
/// cannot show.
pub fn write_file(
    source: &ExportSource<'_>,
    format: FileFormat,
) -> Result<Written, Vec<Diagnostic>> {
    if source.target.is_some() {
        named_target(source.model, source.target).map_err(|fault| vec![*fault])?;
    }
    let of = |text| Written {
        text,
        warnings: Vec::new(),
    };
    match format {
        FileFormat::EnvoyYaml => {
            let written = envoy_yaml(source.model, source.listeners)?;
            Ok(Written {
                text: with_comments(&written.text, source),
                ..written
            })
        }
        FileFormat::EnvoyJson => envoy_json(source.model, source.listeners),
        FileFormat::Filter => filter_file(source),
        FileFormat::Scenario => {
            let written = envoy_json(source.model, source.listeners)?;
            let text = with_question(&written.text, source.target, source.question);
            Ok(Written { text, ..written })
        }
        FileFormat::Markdown => Ok(of(markdown(source))),
        FileFormat::Csv => Ok(of(hosts_csv(source.model))),
        FileFormat::Svg => {
            let scenario = source.shown().map_err(|error| {
                let what = format!("the playground cannot show this configuration: {error}");
                vec![Diagnostic::error("export/not-shown", what)]
            })?;
            Ok(of(picture(&scenario, PictureColors::OfViewer)))
        }
    }
}
