//! The rewrites of path and host in a `RouteAction`.

use alloc::{format, string::String};

use spillgate_core::route::{HeaderFormat, HostRewrite, PathRewrite, RegexRewrite, RequestRewrite};

use crate::{
    envoy::{headers::read_format, matcher::read_rewrite},
    node::quote,
    proto::{Message, Report},
};

const PATHS: [&str; 4] = [
    "prefix_rewrite",
    "regex_rewrite",
    "path_rewrite_policy",
    "path_rewrite",
];

const HOSTS: [&str; 5] = [
    "host_rewrite_literal",
    "auto_host_rewrite",
    "host_rewrite_header",
    "host_rewrite_path_regex",
    "host_rewrite",
];

/// Reads the rewrites. `path_rewrite_policy` requires a `path_match_policy`, which is not modeled;
/// `auto_host_rewrite` takes effect after the choice of a host.
pub(super) fn read_rewrites(action: &Message<'_, '_>, report: &mut Report) -> RequestRewrite {
    action.one_of(&PATHS, report);
    action.one_of(&HOSTS, report);
    #[cfg(feature = "unread")]
    if action.bool("auto_host_rewrite", report) == Some(true) {
        report.note_text("RouteAction", "auto_host_rewrite", "");
    }
    let append = action.bool("append_x_forwarded_host", report);
    RequestRewrite {
        path: read_path(action, report),
        host: read_host(action, report),
        append_x_forwarded_host: append.unwrap_or(false),
    }
}

fn read_path(action: &Message<'_, '_>, report: &mut Report) -> Option<PathRewrite> {
    if let Some(prefix) = text(action, "prefix_rewrite", report) {
        return Some(PathRewrite::Prefix(prefix));
    }
    if let Some(rewrite) = regex(action, "regex_rewrite", ":path", report) {
        return Some(PathRewrite::Regex(rewrite));
    }
    let format = format(action, "path_rewrite", ":path", report);
    format.map(PathRewrite::Format)
}

fn read_host(action: &Message<'_, '_>, report: &mut Report) -> Option<HostRewrite> {
    if let Some(host) = text(action, "host_rewrite_literal", report) {
        return Some(HostRewrite::Literal(host));
    }
    if let Some(name) = text(action, "host_rewrite_header", report) {
        return Some(HostRewrite::Header(name.to_ascii_lowercase()));
    }
    let field = "host_rewrite_path_regex";
    if let Some(rewrite) = regex(action, field, ":authority", report) {
        return Some(HostRewrite::PathRegex(rewrite));
    }
    let format = format(action, "host_rewrite", ":authority", report);
    format.map(HostRewrite::Format)
}

fn text(action: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Option<String> {
    let text = action.string(field, report)?;
    (!text.is_empty()).then(|| text.into())
}

/// `header` changes.
fn regex(
    action: &Message<'_, '_>,
    field: &'static str,
    header: &str,
    report: &mut Report,
) -> Option<RegexRewrite> {
    if !action.has(field) {
        return None;
    }
    match read_rewrite(action, field, report) {
        Ok(rewrite) => rewrite,
        Err(_) => {
            unmodeled(action, field, field, header, report);
            None
        }
    }
}

fn format(
    action: &Message<'_, '_>,
    field: &'static str,
    header: &str,
    report: &mut Report,
) -> Option<HeaderFormat> {
    let format = read_format(&text(action, field, report)?);
    if let Some(command) = format.unmodeled() {
        let what = format!("{} in {field}", quote(command));
        unmodeled(action, field, &what, header, report);
    }
    Some(format)
}

fn unmodeled(
    action: &Message<'_, '_>,
    field: &'static str,
    what: &str,
    header: &str,
    report: &mut Report,
) {
    let effect = format!("{what} is not modeled; requests of this route can go to another host");
    let (path, position) = (action.path.field(field), action.position_of(field));
    let code = "config/header-change-not-modeled";
    report.limit_if_read(String::from(header), code, effect, &path, position);
}
