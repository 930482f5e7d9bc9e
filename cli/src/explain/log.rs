//! `--log`: reads a line of an access log, and decides its request.

use std::path::Path;

use spillgate_answers::{
    access_log::AccessLogLine,
    explain::{AskedKind, AskedRequest, RequestVerdict, decide},
    input::{Faults, read_text},
};
use spillgate_config::Diagnostic;

use super::ExplainArgs;
use crate::inputs::check_stdin;

/// The option, as the name of its input.
const LOG: &str = "--log";

/// Reads the line of the option, or of standard input.
///
/// # Errors
/// Those of the line, and standard input that another argument reads.
pub(super) fn read(text: &str, args: &ExplainArgs) -> Result<AccessLogLine, Faults> {
    let stdin = Path::new("-");
    if Path::new(text) != stdin {
        return AccessLogLine::read(text).map_err(|faults| Faults::all(LOG, &faults));
    }
    args.config.check_stdin(stdin, LOG)?;
    check_stdin(
        args.keys.iter().chain([&stdin.to_path_buf()]),
        "--keys or --log",
    )?;
    let text = read_text(stdin)?;
    AccessLogLine::read(&text.text).map_err(|faults| Faults::all(LOG, &faults))
}

/// Rejects a line without a request for a listener of requests.
///
/// # Errors
/// If neither the line nor an option states the path.
pub(super) fn check(
    line: &AccessLogLine,
    args: &ExplainArgs,
    kind: &AskedKind,
) -> Result<(), Faults> {
    if !kind.is_http() || line.path.is_some() || args.path.is_some() {
        return Ok(());
    }
    let mut what = "the line has no path".to_owned();
    for flag in &line.flags {
        what.push_str(&format!(" ({}: {})", flag.name, flag.meaning));
    }
    let fault = Diagnostic::error("log/no-path", what);
    Err(Faults::one(
        LOG,
        &fault.expected("a line of an HTTP request, or --path"),
    ))
}

/// The decision with the first seed that chooses a host, so that its steps lead there. Without one, or if no draw
/// decides, the decision with seed 0.
pub(super) fn decide_for<'s>(host: &str, asked: &AskedRequest<'s>) -> RequestVerdict<'s> {
    const SEEDS: u64 = 64;
    let verdict = decide(asked, 0);
    let mut outcomes = verdict.outcomes.iter();
    if !verdict.is_random() || !outcomes.any(|outcome| outcome.endpoint == host) {
        return verdict;
    }
    let leads = |verdict: &RequestVerdict<'_>| {
        let decision = verdict.decision.as_ref();
        let endpoint = decision.and_then(|decision| decision.endpoint(asked.snapshot));
        endpoint.is_some_and(|endpoint| endpoint.address == host)
    };
    if leads(&verdict) {
        return verdict;
    }
    let mut others = (1..SEEDS).map(|seed| decide(asked, seed));
    others.find(|verdict| leads(verdict)).unwrap_or(verdict)
}
