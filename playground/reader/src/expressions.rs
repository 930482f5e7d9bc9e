//! A configuration with its regular expressions, and the ones that Envoy rejects.

use alloc::{format, vec::Vec};

use spillgate_codec::import::{FaultSeverity, ImportFault, ImportField};
use spillgate_config::{
    Diagnostic, DiagnosticSeverity,
    envoy::{EnvoyConfig, ReadOptions, RegexCompiler, SourceText, read_sources},
    re2,
};

use crate::{files::files, regex, report};

/// A configuration whose expressions are compiled.
pub(crate) struct CompiledConfig {
    pub(crate) config: EnvoyConfig,
    /// The errors of expressions, which the import does not compile. With any, no expression matches.
    pub(crate) errors: Vec<Diagnostic>,
}

impl CompiledConfig {
    /// Reads a text; `None` if it has other errors.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let read = |regex: RegexCompiler| {
            let options = ReadOptions {
                regex: Some(regex),
                for_grpc: false,
            };
            read_sources(&files(text), &options)
        };
        Some(match read(re2::compile) {
            Ok(config) => Self {
                config,
                errors: Vec::new(),
            },
            Err(mut errors) => {
                errors.retain(|fault| fault.severity == DiagnosticSeverity::Error);
                let config = read(regex::keep).ok()?;
                Self { config, errors }
            }
        })
    }
}

/// The errors as warnings of an import.
pub(crate) fn rejected(text: &str, errors: Vec<Diagnostic>) -> Vec<ImportFault> {
    let map = SourceText::map(&files(text));
    let fault = |error: Diagnostic| {
        let message = format!("Envoy rejects the configuration: {}", error.message);
        let mut fault = report::diagnostic(error, ImportField::Config);
        report::name_file(&mut fault, &map);
        ImportFault {
            severity: FaultSeverity::Warning,
            message,
            ..fault
        }
    };
    errors.into_iter().map(fault).collect()
}
