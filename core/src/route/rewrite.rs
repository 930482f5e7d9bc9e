//! How a route rewrites the path and the host of its requests, before a host is chosen.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    ChangedHeaders, Connection, HeaderFormat, Headers, PathMatch, RegexRewrite,
    header_format::{FormatInput, MissingValue},
    matcher::without_query,
};

/// The rewrites of a route (`RouteAction`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestRewrite {
    /// The rewrite of the path.
    pub path: Option<PathRewrite>,
    /// The rewrite of the host.
    pub host: Option<HostRewrite>,
    /// Whether a rewritten host is appended to `x-forwarded-host` (`append_x_forwarded_host`).
    pub append_x_forwarded_host: bool,
}

/// A rewrite of the path. The query stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathRewrite {
    /// Replaces the matched part (`prefix_rewrite`).
    Prefix(String),
    /// Replaces all matches in the path (`regex_rewrite`).
    Regex(RegexRewrite),
    /// Replaces the path (`path_rewrite`).
    Format(HeaderFormat),
}

/// A rewrite of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostRewrite {
    /// A fixed host (`host_rewrite_literal`).
    Literal(String),
    /// The first value of the header with this lower-case name (`host_rewrite_header`).
    Header(String),
    /// The path with all matches replaced (`host_rewrite_path_regex`).
    PathRegex(RegexRewrite),
    /// A value with commands (`host_rewrite`).
    Format(HeaderFormat),
}

impl RequestRewrite {
    pub(super) fn apply<H: Headers>(
        &self,
        headers: &mut ChangedHeaders<'_, H>,
        matched: &PathMatch,
        connection: &Connection<'_>,
        route_name: &str,
    ) {
        let input = FormatInput {
            headers: &*headers,
            connection,
            route_name,
        };
        if let Some(host) = self.host.as_ref().and_then(|host| host.value(&input))
            && !host.is_empty()
        {
            let before = headers.first(":authority").unwrap_or_default().to_vec();
            if self.append_x_forwarded_host {
                headers.add("x-forwarded-host", before.clone());
            }
            headers.set("x-envoy-original-host", before);
            headers.set(":authority", host);
        }
        let input = FormatInput {
            headers: &*headers,
            connection,
            route_name,
        };
        let path = self.path.as_ref();
        if let Some(path) = path.and_then(|path| path.value(matched, &input))
            && !path.is_empty()
        {
            let before = headers.first(":path").unwrap_or_default().to_vec();
            headers.set("x-envoy-original-path", before);
            headers.set(":path", path);
        }
    }
}

impl HostRewrite {
    fn value<H: Headers>(&self, input: &FormatInput<'_, H>) -> Option<Vec<u8>> {
        match self {
            Self::Literal(host) => Some(host.as_bytes().to_vec()),
            Self::Header(name) => input.headers.first(name).map(<[u8]>::to_vec),
            Self::PathRegex(rewrite) => {
                let path = input.headers.first(":path").unwrap_or_default();
                Some(rewrite.replace_all(without_query(path)))
            }
            Self::Format(format) => format.value(input, MissingValue::Dash),
        }
    }
}

impl PathRewrite {
    /// The new path with its query; `None` or empty if the path stays.
    fn value<H: Headers>(
        &self,
        matched: &PathMatch,
        input: &FormatInput<'_, H>,
    ) -> Option<Vec<u8>> {
        let path = input.headers.first(":path").unwrap_or_default();
        let plain = without_query(path).len();
        let (new, replaced) = match self {
            Self::Prefix(new) => {
                let replaced = match matched {
                    PathMatch::Prefix(text)
                    | PathMatch::Exact(text)
                    | PathMatch::PathSeparatedPrefix(text) => text.len(),
                    PathMatch::Regex(_) | PathMatch::Unmodeled => plain,
                };
                (Cow::Borrowed(new.as_bytes()), replaced)
            }
            Self::Regex(rewrite) => {
                let new = rewrite.replace_all(path.get(..plain)?);
                (Cow::Owned(new), plain)
            }
            Self::Format(format) => {
                let new = format.value(input, MissingValue::Omitted)?;
                (Cow::Owned(new), plain)
            }
        };
        if new.is_empty() {
            return None;
        }
        let rest = path.get(replaced.min(path.len())..)?;
        Some([&*new, rest].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn rewritten(rewrite: &RequestRewrite, matched: &PathMatch, path: &str) -> [String; 4] {
        let sent = [
            (":authority", "localhost"),
            (":path", path),
            ("x-forwarded-host", "a"),
        ];
        let sent = HeaderList(&sent);
        let mut headers = ChangedHeaders::new(&sent);
        rewrite.apply(&mut headers, matched, &Connection::default(), "");
        [
            ":path",
            ":authority",
            "x-envoy-original-path",
            "x-forwarded-host",
        ]
        .map(|name| {
            let value = headers.first(name).unwrap_or_default();
            String::from_utf8(value.to_vec()).unwrap()
        })
    }

    /// Paths that Envoy 1.40 forwarded.
    #[test]
    fn prefix_rewrite_replaces_what_matched() {
        let prefix = |new: &str| RequestRewrite {
            path: Some(PathRewrite::Prefix(new.into())),
            ..RequestRewrite::default()
        };
        let path = |new: &str, matched: PathMatch, path: &str| {
            let [path, _, before, _] = rewritten(&prefix(new), &matched, path);
            (path, before)
        };
        let api = || PathMatch::Prefix("/api".into());
        let (new, before) = path("/", api(), "/api/item/1?q=2");
        assert_eq!(
            (new.as_str(), before.as_str()),
            ("//item/1?q=2", "/api/item/1?q=2")
        );
        assert_eq!(path("/", api(), "/api").0, "/");
        let exact = PathMatch::Exact("/api".into());
        assert_eq!(path("/new?z=1", exact, "/api?b=c").0, "/new?z=1?b=c");
        let separated = PathMatch::PathSeparatedPrefix("/api".into());
        assert_eq!(path("/n", separated, "/api/").0, "/n/");
        assert_eq!(path("/n", PathMatch::Unmodeled, "/api/x?q=2").0, "/n?q=2");
        assert_eq!(path("", api(), "/api/x"), ("/api/x".into(), String::new()));
    }

    #[test]
    fn a_rewritten_host_is_forwarded_on_request() {
        let mut rewrite = RequestRewrite {
            host: Some(HostRewrite::Literal("h.example".into())),
            ..RequestRewrite::default()
        };
        let matched = PathMatch::Prefix("/".into());
        let [_, host, _, forwarded] = rewritten(&rewrite, &matched, "/");
        assert_eq!((host.as_str(), forwarded.as_str()), ("h.example", "a"));
        rewrite.append_x_forwarded_host = true;
        let [_, _, _, forwarded] = rewritten(&rewrite, &matched, "/");
        assert_eq!(forwarded, "a,localhost");
        rewrite.host = Some(HostRewrite::Header("x-missing".into()));
        let [_, host, _, forwarded] = rewritten(&rewrite, &matched, "/");
        assert_eq!((host.as_str(), forwarded.as_str()), ("localhost", "a"));
    }
}
