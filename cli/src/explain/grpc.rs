//! `spillgate explain --client grpc|both`: what can be asked, and the answers as text.
//!
//! The route and its cluster are those of Envoy. A gRPC client reads the same routes, without Envoy's
//! filters.

use spillgate_answers::{
    explain::{AskedKind, GrpcStories, GrpcStory, XX_HASH},
    input::Faults,
};
use spillgate_config::{Diagnostic, SourceMap};
use spillgate_core::visible::visible;

use super::args::ExplainArgs;

/// Rejects what is not modeled for gRPC.
///
/// # Errors
/// If the question is not about the first attempt of an HTTP request, or if a Spillgate filter steers
/// the request (`is_steered`).
pub(super) fn check(
    args: &ExplainArgs,
    kind: &AskedKind,
    is_steered: bool,
    files: &SourceMap,
) -> Result<(), Faults> {
    let first = args.attempt.unwrap_or(0) == 0
        && args.log.is_none()
        && args.tried.is_empty()
        && args.failed.is_empty();
    // A key of --cluster is a header of an HTTP request.
    let is_http = kind.is_http() || matches!(kind, AskedKind::Key(_, XX_HASH));
    if first && is_http && !is_steered {
        return Ok(());
    }
    let what = "--client: only first attempts of HTTP requests without a Spillgate filter are modeled for gRPC";
    let fault = Diagnostic::error("explain/client", what);
    Err(Faults::one(files, &fault.expected("--client envoy")))
}

/// The answers as text.
pub(super) fn text(found: &GrpcStories) -> String {
    if !found.stories.is_empty() {
        let texts: Vec<String> = found.stories.iter().map(story_text).collect();
        return texts.join("\n");
    }
    format!("gRPC: {}\n", found.without_cluster())
}

/// One answer as text.
fn story_text(story: &GrpcStory) -> String {
    let mut out = format!("gRPC: cluster {} ({})", story.cluster, story.policy);
    if story.share < 1.0 {
        out.push_str(&format!(", {:.1} % of the calls", story.share * 100.0));
    }
    if let Some(no_figures) = &story.note.no_figures {
        out.push_str(&format!(": {}", no_figures.text()));
    }
    out = visible(&out).into_owned();
    out.push('\n');
    for note in &story.note.notes {
        out.push_str(&format!("note: {}\n", visible(note)));
    }
    for (step, what) in &story.steps {
        out.push_str(&format!("{step:<10}{}\n", visible(what)));
    }
    for (owner, priority, address, share) in &story.hosts {
        out.push_str(&format!(
            "host      {address} ({} P{priority}): {share:.1} %\n",
            visible(owner)
        ));
    }
    if story.note.no_figures.is_none() && story.no_host > 0.0 {
        out.push_str(&format!("no host   {:.1} %\n", story.no_host));
    }
    out
}
