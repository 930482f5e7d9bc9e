//! What a route that answers itself says, as a text to compare.

use alloc::{string::String, vec::Vec};

use crate::{
    node::{Node, to_json},
    proto::{Message, field_of},
};

/// What a redirect or a direct response has apart from its status, as one JSON object.
pub(super) fn answer_text(route: &Message<'_, '_>) -> Option<String> {
    /// With the JSON texts of their defaults.
    const REDIRECT_FIELDS: [(&str, &str); 9] = [
        ("https_redirect", "false"),
        ("scheme_redirect", "\"\""),
        ("host_redirect", "\"\""),
        ("port_redirect", "0"),
        ("path_redirect", "\"\""),
        ("path_rewrite", ""),
        ("prefix_rewrite", "\"\""),
        ("regex_rewrite", ""),
        ("strip_query", "false"),
    ];
    const RESPONSE_FIELDS: [(&str, &str); 2] = [("body", ""), ("body_format", "")];
    let stated = |node: &Node<'_>, fields: &[(&str, &str)]| {
        let texts = fields.iter().filter_map(|(field, default)| {
            let value = to_json(field_of(node, field)?);
            (value != *default).then(|| alloc::format!("\"{field}\":{value}"))
        });
        alloc::format!("{{{}}}", texts.collect::<Vec<String>>().join(","))
    };
    match (route.get("redirect"), route.get("direct_response")) {
        (Some(redirect), _) => Some(stated(redirect, &REDIRECT_FIELDS)),
        (None, Some(response)) => Some(stated(response, &RESPONSE_FIELDS)),
        (None, None) => None,
    }
}
