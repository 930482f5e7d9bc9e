//! Header changes, and the rewrites of routes.

use spillgate_core::route::{
    AddedHeader, AppendAction, HeaderMutation, HeaderMutations, HostRewrite, PathRewrite,
    RequestRewrite,
};

use super::{
    super::{
        names::name_of,
        tree::{Fields, within},
    },
    hash_policy::regex_rewrite,
};
use crate::envoy::{APPEND_ACTION, write_format};

/// The header changes of a route or one of its parents.
pub(super) fn header_mutations(of: &HeaderMutations) -> Fields {
    Fields::new()
        .with_list("request_headers_to_add", of.added.iter().map(added))
        .with_list(
            "request_headers_to_remove",
            of.removed.iter().map(|name| name.as_str()),
        )
}

/// A list of changes.
pub(super) fn mutation_list(of: &[HeaderMutation]) -> impl Iterator<Item = Fields> {
    of.iter().map(|mutation| match mutation {
        HeaderMutation::Remove(name) => within("remove", name.as_str()),
        HeaderMutation::Append(header) => within("append", added(header)),
    })
}

fn added(of: &AddedHeader) -> Fields {
    let header = within("key", of.name.as_str()).with_text("value", &write_format(&of.value));
    within("header", header)
        .with_unless(
            "append_action",
            name_of(&APPEND_ACTION, &of.action),
            name_of(&APPEND_ACTION, &AppendAction::default()),
        )
        .with_flag("keep_empty_value", of.keep_empty)
}

/// The rewrites of a route.
pub(super) fn rewrites(of: &RequestRewrite) -> Fields {
    let path = match &of.path {
        Some(PathRewrite::Prefix(prefix)) => within("prefix_rewrite", prefix.as_str()),
        Some(PathRewrite::Regex(regex)) => within("regex_rewrite", regex_rewrite(regex)),
        Some(PathRewrite::Format(format)) => within("path_rewrite", write_format(format)),
        None => Fields::new(),
    };
    let host = match &of.host {
        Some(HostRewrite::Literal(host)) => within("host_rewrite_literal", host.as_str()),
        Some(HostRewrite::Header(name)) => within("host_rewrite_header", name.as_str()),
        Some(HostRewrite::PathRegex(regex)) => {
            within("host_rewrite_path_regex", regex_rewrite(regex))
        }
        Some(HostRewrite::Format(format)) => within("host_rewrite", write_format(format)),
        None => Fields::new(),
    };
    path.and(host)
        .with_flag("append_x_forwarded_host", of.append_x_forwarded_host)
}
