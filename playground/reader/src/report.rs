//! Diagnostics and findings in the format of the playground.

#[cfg(any(feature = "envoy", feature = "routes"))]
use alloc::format;

use spillgate_codec::import::{FaultSeverity, ImportFault, ImportField};
use spillgate_config::Diagnostic;
#[cfg(any(feature = "envoy", feature = "routes"))]
use spillgate_config::SourceMap;
#[cfg(feature = "envoy")]
use spillgate_lint::Finding;

use crate::{position::position, remedy::for_page};

/// A diagnostic of one of the texts.
pub(crate) fn diagnostic(diagnostic: Diagnostic, field: ImportField) -> ImportFault {
    ImportFault {
        severity: match diagnostic.severity {
            spillgate_config::DiagnosticSeverity::Error => FaultSeverity::Error,
            spillgate_config::DiagnosticSeverity::Warning => FaultSeverity::Warning,
            spillgate_config::DiagnosticSeverity::Limit => FaultSeverity::Limit,
        },
        field,
        code: diagnostic.code.into(),
        path: diagnostic.path,
        position: diagnostic.position.map(position),
        message: for_page(&diagnostic.message),
        found: diagnostic.found,
        expected: diagnostic.expected.as_deref().map(for_page),
        suggestion: diagnostic.suggestion,
        fix: None,
    }
}

/// A finding of a lint rule; all of them are about the configuration.
#[cfg(feature = "envoy")]
pub(crate) fn finding(finding: Finding) -> ImportFault {
    ImportFault {
        severity: match finding.severity {
            spillgate_lint::Severity::Error => FaultSeverity::Error,
            spillgate_lint::Severity::Warning => FaultSeverity::Warning,
            spillgate_lint::Severity::Info => FaultSeverity::Info,
        },
        field: ImportField::Config,
        code: finding.rule.into(),
        message: finding.message(),
        path: finding.path,
        position: Some(position(finding.position)),
        found: None,
        expected: None,
        suggestion: None,
        fix: Some(finding.fix),
    }
}

/// Names the file of a fault in its path, if the text has several.
#[cfg(any(feature = "envoy", feature = "routes"))]
pub(crate) fn name_file(fault: &mut ImportFault, files: &SourceMap) {
    if let Some(at) = fault.position.filter(|_| files.is_several()) {
        let position = spillgate_config::Position {
            line: at.line,
            column: at.column,
        };
        let name = files.place(position).name;
        fault.path = match fault.path.as_str() {
            "" => name.into(),
            path => format!("{name}: {path}"),
        };
    }
}
