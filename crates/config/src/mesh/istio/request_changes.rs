//! How routes of a VirtualService change requests: headers, path, host, retries.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{
    AddedHeader, AppendAction, HeaderMutations, HostRewrite, PathRewrite, Pattern, RegexRewrite,
    RequestRewrite,
};
use spillgate_mesh::istio::IstioRetries;

use crate::{
    envoy::read_format,
    mesh::value::TextMap,
    proto::{Irrelevance::Response, Message, Report, Schema},
};

pub(super) static HEADERS: Schema = Schema::new("headers", "request")
    .ignored(&[(Response, "response")])
    .of("VirtualService.http.headers");
pub(super) static HEADER_OPERATIONS: Schema =
    Schema::new("request", "set add remove").of("VirtualService.http.headers.request");
pub(super) static REWRITE: Schema =
    Schema::new("rewrite", "uri authority uriRegexRewrite").of("VirtualService.http.rewrite");
pub(super) static REGEX_REWRITE: Schema = Schema::new("uriRegexRewrite", "match rewrite")
    .of("VirtualService.http.rewrite.uriRegexRewrite");
pub(super) static RETRIES: Schema = Schema::new(
    "retries",
    "attempts retryOn retryIgnorePreviousHosts retryRemoteLocalities perTryTimeout backoff",
)
.of("VirtualService.http.retries");

/// The changes of headers, with the host that they set.
#[derive(Debug, Default)]
pub(in crate::mesh) struct HeaderChanges {
    /// The headers that requests gain and lose.
    pub(in crate::mesh) headers: HeaderMutations,
    /// The host.
    pub(in crate::mesh) authority: Option<String>,
}

/// The changes of `headers.request` (`TranslateHeadersOperations`). Istio leaves out `:` headers and
/// `host`, but for the host that they set.
pub(super) fn read_headers(of: &Message<'_, '_>, report: &mut Report) -> HeaderChanges {
    let mut changes = HeaderChanges::default();
    let request = of
        .message("headers", &HEADERS, report)
        .and_then(|headers| headers.message("request", &HEADER_OPERATIONS, report));
    let Some(request) = request else {
        return changes;
    };
    let set = request.text_map("set", report);
    let add = request.text_map("add", report);
    changes.add(&set, AppendAction::OverwriteIfExistsOrAdd);
    let authority = changes.authority.take();
    changes.add(&add, AppendAction::AppendIfExistsOrAdd);
    changes.authority = authority.or(changes.authority);
    changes.remove(request.texts("remove", report));
    changes
}

impl HeaderChanges {
    /// Adds the headers of a map, in the order of their names.
    pub(in crate::mesh) fn add(&mut self, headers: &TextMap, action: AppendAction) {
        for (name, value) in headers {
            let name = name.to_ascii_lowercase();
            if name == ":authority" || name == "host" {
                self.authority = Some(value.clone());
            }
            if !is_internal(&name) {
                self.headers.added.push(AddedHeader {
                    name,
                    value: read_format(value),
                    action,
                    keep_empty: false,
                });
            }
        }
    }
}

impl HeaderChanges {
    /// Sets the headers that requests lose.
    pub(in crate::mesh) fn remove(&mut self, names: Vec<String>) {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        self.headers.removed = names.filter(|name| !is_internal(name)).collect();
    }
}

fn is_internal(name: &str) -> bool {
    name.starts_with(':') || name == "host"
}

/// The rewrite of a route, with the host that its header changes set. A rewrite of the path by a regular
/// expression needs a compiler; without one, the path stays, which changes no choice of a host.
pub(super) fn read_rewrite(
    route: &Message<'_, '_>,
    authority: Option<String>,
    report: &mut Report,
) -> Option<RequestRewrite> {
    let rewrite = route.message("rewrite", &REWRITE, report);
    if rewrite.is_none() && authority.is_none() {
        return None;
    }
    let mut found = RequestRewrite {
        host: authority.map(HostRewrite::Literal),
        ..RequestRewrite::default()
    };
    let Some(rewrite) = rewrite else {
        return Some(found);
    };
    let uri = rewrite.text("uri", report);
    if let Some(regex) = rewrite.message("uriRegexRewrite", &REGEX_REWRITE, report) {
        let substitution = regex.text("rewrite", report);
        let pattern = regex.text("match", report);
        found.path = regex_rewrite(&pattern, &substitution, report).map(PathRewrite::Regex);
    } else if !uri.is_empty() {
        found.path = Some(PathRewrite::Prefix(uri));
    }
    let authority = rewrite.text("authority", report);
    if !authority.is_empty() {
        found.host = Some(HostRewrite::Literal(authority));
    }
    Some(found)
}

/// A rewrite by a regular expression, if the reader has a compiler.
pub(in crate::mesh) fn regex_rewrite(
    pattern: &str,
    substitution: &str,
    report: &Report,
) -> Option<RegexRewrite> {
    compiled(pattern, report)?.rewrite(substitution).ok()
}

/// A compiled regular expression, if the reader has a compiler and accepts it.
pub(in crate::mesh) fn compiled(pattern: &str, report: &Report) -> Option<Pattern> {
    let compile = report.regex()?;
    let regex = compile(pattern).ok()?;
    Some(Pattern::new(pattern, regex))
}

/// The retries of a route, or `defaultHttpRetryPolicy` of the mesh.
pub(super) fn read_retries(
    of: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<IstioRetries> {
    let retries = of.message(field, &RETRIES, report)?;
    Some(IstioRetries {
        attempts: retries.u32("attempts", report).unwrap_or_default(),
        retry_on: retries.text("retryOn", report),
        ignore_previous_hosts: retries.bool("retryIgnorePreviousHosts", report),
        remote_localities: retries.bool("retryRemoteLocalities", report) == Some(true),
        per_try_timeout_ms: retries.milliseconds("perTryTimeout", report),
        backoff_ms: retries.milliseconds("backoff", report),
    })
}
