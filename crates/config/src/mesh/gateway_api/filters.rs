//! Filters of rules and backends: redirects, rewrites and header changes.

use alloc::{format, string::String};

use spillgate_core::route::{
    AppendAction, FormatPart, HeaderFormat, HeaderMutations, HostRewrite, PathRewrite,
    RequestRewrite,
};

use crate::{
    mesh::{
        istio::{HeaderChanges, MIRROR, regex_rewrite},
        value::TextMap,
    },
    proto::{Irrelevance::Response, Message, Report, Schema, limit},
};

pub(super) static FILTER: Schema = Schema::new(
    "filter",
    "type requestHeaderModifier requestRedirect urlRewrite extensionRef externalAuth",
)
.limits(&[
    limit("cors", "preflight requests are answered without a host"),
    limit("requestMirror", MIRROR),
])
.ignored(&[(Response, "responseHeaderModifier")])
.of("HTTPRoute.rules.filters");
pub(super) static GRPC_FILTER: Schema =
    Schema::new("filter", "type requestHeaderModifier extensionRef")
        .limits(&[limit("requestMirror", MIRROR)])
        .ignored(&[(Response, "responseHeaderModifier")])
        .of("GRPCRoute.rules.filters");
pub(super) static HEADER_CHANGES: Schema = Schema::new("requestHeaderModifier", "set add remove")
    .of("HTTPRoute.rules.filters.requestHeaderModifier");
pub(super) static HEADER_VALUE: Schema =
    Schema::new("header", "name value").of("HTTPRoute.rules.filters.requestHeaderModifier.set");
pub(super) static REDIRECT: Schema = Schema::new("requestRedirect", "statusCode")
    .ignored(&[(Response, "hostname path port scheme")])
    .of("HTTPRoute.rules.filters.requestRedirect");
pub(super) static URL_REWRITE: Schema =
    Schema::new("urlRewrite", "hostname path").of("HTTPRoute.rules.filters.urlRewrite");
pub(super) static PATH_CHANGE: Schema =
    Schema::new("path", "type replaceFullPath replacePrefixMatch")
        .of("HTTPRoute.rules.filters.urlRewrite.path");

/// What the filters of a rule or a backend do.
#[derive(Debug, Default)]
pub(super) struct ReadFilters {
    pub(super) headers: HeaderMutations,
    pub(super) authority: Option<String>,
    pub(super) rewrite: Option<RequestRewrite>,
    /// The status of a redirect.
    pub(super) redirect: Option<u16>,
    /// The type of a filter that Istio does not support, because of which it ignores the whole route.
    pub(super) unsupported: Option<String>,
    /// The type of a filter that rules support, but not backends.
    pub(super) only_of_rules: Option<String>,
}

/// Reads the filters of a rule or a backend.
pub(super) fn read_filters(
    of: &Message<'_, '_>,
    schema: &'static Schema,
    report: &mut Report,
) -> ReadFilters {
    let mut found = ReadFilters::default();
    for (path, node) in of.items("filters", report) {
        let Some(filter) = Message::open(node, path, schema, report) else {
            continue;
        };
        let kind = filter.text("type", report);
        if !matches!(
            kind.as_str(),
            "RequestHeaderModifier" | "ResponseHeaderModifier"
        ) {
            found.only_of_rules = Some(kind.clone());
        }
        match kind.as_str() {
            "RequestHeaderModifier" => {
                if let Some(of) = filter.message("requestHeaderModifier", &HEADER_CHANGES, report) {
                    let changes = read_changes(&of, report);
                    (found.headers, found.authority) = (changes.headers, changes.authority);
                }
            }
            "RequestRedirect" => {
                // The API server adds the status.
                const FOUND: u32 = 302;
                let redirect = filter.message("requestRedirect", &REDIRECT, report);
                let status = redirect.and_then(|of| of.u32("statusCode", report));
                found.redirect = u16::try_from(status.unwrap_or(FOUND)).ok();
            }
            "URLRewrite" => {
                let rewrite = filter.message("urlRewrite", &URL_REWRITE, report);
                found.rewrite = rewrite.map(|of| read_rewrite(&of, report));
            }
            "ResponseHeaderModifier" | "RequestMirror" | "CORS" => {}
            _ => found.unsupported = Some(kind),
        }
    }
    found
}

fn read_changes(of: &Message<'_, '_>, report: &mut Report) -> HeaderChanges {
    let mut changes = HeaderChanges::default();
    changes.add(
        &read_values(of, "set", report),
        AppendAction::OverwriteIfExistsOrAdd,
    );
    let authority = changes.authority.take();
    changes.add(
        &read_values(of, "add", report),
        AppendAction::AppendIfExistsOrAdd,
    );
    changes.authority = authority.or(changes.authority);
    changes.remove(of.texts("remove", report));
    changes
}

/// The values by name; later ones for the same name have no effect.
fn read_values(of: &Message<'_, '_>, field: &'static str, report: &mut Report) -> TextMap {
    let mut found = TextMap::new();
    for (path, node) in of.items(field, report) {
        if let Some(one) = Message::open(node, path, &HEADER_VALUE, report) {
            let name = one.text("name", report).to_ascii_lowercase();
            let value = one.text("value", report);
            found.entry(name).or_insert(value);
        }
    }
    found
}

fn read_rewrite(of: &Message<'_, '_>, report: &mut Report) -> RequestRewrite {
    let hostname = of.text("hostname", report);
    let mut rewrite = RequestRewrite {
        host: (!hostname.is_empty()).then_some(HostRewrite::Literal(hostname)),
        ..RequestRewrite::default()
    };
    if let Some(path) = of.message("path", &PATH_CHANGE, report) {
        let full = path.text("replaceFullPath", report);
        let prefix = path.text("replacePrefixMatch", report);
        rewrite.path = match path.text("type", report).as_str() {
            "ReplaceFullPath" => {
                let text = if full.is_empty() { "/".into() } else { full };
                Some(PathRewrite::Format(HeaderFormat(
                    [FormatPart::Text(text)].into(),
                )))
            }
            _ => Some(PathRewrite::Prefix(match prefix.strip_suffix('/') {
                Some("") | None if prefix.len() < 2 => "/".into(),
                Some(rest) => rest.into(),
                None => prefix,
            })),
        };
    }
    rewrite
}

/// The rewrite for requests with a prefix: that of the prefix by `/` also takes the `/` behind it
/// (`UseGatewaySemantics` in `route.go`). Without a compiler of regular expressions
/// the path stays, which changes no choice of a host.
pub(super) fn rewrite_of(
    of: Option<&RequestRewrite>,
    prefix: &str,
    report: &Report,
) -> Option<RequestRewrite> {
    let mut found = of?.clone();
    if matches!(&found.path, Some(PathRewrite::Prefix(to)) if to == "/") {
        let mut pattern = String::from("^");
        for letter in prefix.chars() {
            if matches!(
                letter,
                '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '\\'
            ) {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern.push_str("(/?)(.*)");
        found.path = regex_rewrite(&pattern, r"/\2", report).map(PathRewrite::Regex);
    }
    Some(found)
}

impl ReadFilters {
    /// The rewrite of a rule with the host that its header changes set.
    pub(super) fn full_rewrite(&self) -> Option<RequestRewrite> {
        if self.authority.is_none() {
            return self.rewrite.clone();
        }
        let mut rewrite = self.rewrite.clone().unwrap_or_default();
        let authority = self.authority.clone().map(HostRewrite::Literal);
        rewrite.host = rewrite.host.or(authority);
        Some(rewrite)
    }

    /// Why Istio ignores the route of a rule.
    pub(super) fn rejected(&self) -> Option<String> {
        let kind = self.unsupported.as_ref()?;
        Some(format!("filter type {kind}"))
    }

    /// Why Istio ignores the route of a backend: its filters can change headers only
    /// (`buildHTTPDestination`).
    pub(super) fn rejected_of_backend(&self) -> Option<String> {
        let kind = self.only_of_rules.as_ref()?;
        Some(format!("filter type {kind} of a backend"))
    }
}
