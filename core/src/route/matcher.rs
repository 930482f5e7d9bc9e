//! Which requests a route is for (`RouteMatch`).

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    CookieMatch, HeaderMatch, Headers, Pattern, QueryMatch,
    text_match::{equal, starts_with},
};

/// A route's conditions; all must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMatch {
    /// The condition on the path.
    pub path: PathMatch,
    /// Whether the path is compared with case; a regular expression does not heed it.
    pub case_sensitive: bool,
    /// The conditions on headers.
    pub headers: Vec<HeaderMatch>,
    /// The conditions on query parameters.
    pub query_parameters: Vec<QueryMatch>,
    /// The conditions on cookies.
    pub cookies: Vec<CookieMatch>,
    /// Only gRPC requests match (`grpc`).
    pub grpc: bool,
    /// A condition that the engine does not have: a request that meets all others may or may not
    /// match.
    pub unmodelled: Option<&'static str>,
}

/// A condition on the path without its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathMatch {
    /// It begins with this.
    Prefix(String),
    /// It is this.
    Exact(String),
    /// It is this, or goes on with a `/` behind it.
    PathSeparatedPrefix(String),
    /// It matches this as a whole.
    Regex(Pattern),
    /// Nobody can say (see [`RouteMatch::unmodelled`]).
    Unmodelled,
}

/// Whether a request meets conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchResult {
    /// It does not.
    No,
    /// It does.
    Yes,
    /// It meets those that the engine has; this one is left.
    Unknown(&'static str),
}

impl RouteMatch {
    /// A match for a path and nothing else.
    #[must_use]
    pub const fn path(path: PathMatch) -> Self {
        Self {
            path,
            case_sensitive: true,
            headers: Vec::new(),
            query_parameters: Vec::new(),
            cookies: Vec::new(),
            grpc: false,
            unmodelled: None,
        }
    }

    /// Whether a request certainly meets all conditions.
    #[must_use]
    pub fn matches<H: Headers>(&self, headers: &H) -> bool {
        self.fit(headers, false) == MatchResult::Yes
    }

    /// Whether a request meets the conditions. `ignore_parameters` takes path parameters, from a
    /// `;` to the next `/`, out of the path first
    /// (`RouteConfiguration.ignore_path_parameters_in_path_matching`).
    #[must_use]
    pub fn fit<H: Headers>(&self, headers: &H, ignore_parameters: bool) -> MatchResult {
        let target = headers.first(":path").unwrap_or_default();
        let mut path = Cow::Borrowed(without_query(target));
        if ignore_parameters && path.contains(&b';') {
            path = Cow::Owned(without_parameters(&path));
        }
        let fits = self.path.matches(&path, self.case_sensitive)
            && self.headers.iter().all(|header| header.matches(headers))
            && self.query_parameters.iter().all(|q| q.matches(target))
            && self.cookies.iter().all(|cookie| cookie.matches(headers))
            && (!self.grpc || is_grpc(headers));
        match self.unmodelled {
            _ if !fits => MatchResult::No,
            None => MatchResult::Yes,
            Some(condition) => MatchResult::Unknown(condition),
        }
    }
}

impl PathMatch {
    fn matches(&self, path: &[u8], case_sensitive: bool) -> bool {
        match self {
            Self::Prefix(prefix) => starts_with(path, prefix.as_bytes(), !case_sensitive),
            Self::Exact(exact) => equal(path, exact.as_bytes(), !case_sensitive),
            Self::PathSeparatedPrefix(prefix) => {
                starts_with(path, prefix.as_bytes(), !case_sensitive)
                    && matches!(path.get(prefix.len()), None | Some(b'/'))
            }
            Self::Regex(pattern) => pattern.matches(path),
            Self::Unmodelled => true,
        }
    }
}

fn without_query(path: &[u8]) -> &[u8] {
    path.split(|&byte| byte == b'?' || byte == b'#')
        .next()
        .unwrap_or_default()
}

fn without_parameters(path: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(path.len());
    let mut in_parameter = false;
    for &byte in path {
        in_parameter = byte != b'/' && (in_parameter || byte == b';');
        if !in_parameter {
            kept.push(byte);
        }
    }
    kept
}

fn is_grpc<H: Headers>(headers: &H) -> bool {
    let content_type = headers.first("content-type").unwrap_or_default();
    let rest = content_type.strip_prefix(b"application/grpc");
    matches!(rest, Some([] | [b'+', ..]))
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn fit(matcher: &RouteMatch, path: &str, ignore_parameters: bool) -> MatchResult {
        matcher.fit(&HeaderList(&[(":path", path)]), ignore_parameters)
    }

    #[test]
    fn a_separated_prefix_ends_with_a_segment() {
        let mut matcher = RouteMatch::path(PathMatch::PathSeparatedPrefix("/Sep".into()));
        for (path, matches) in [
            ("/Sep", true),
            ("/Sep/", true),
            ("/Sep?x", true),
            ("/Sep/x", true),
            ("/Sepx", false),
            ("/sep", false),
        ] {
            assert_eq!(
                fit(&matcher, path, false) == MatchResult::Yes,
                matches,
                "{path}"
            );
        }
        matcher.case_sensitive = false;
        assert_eq!(fit(&matcher, "/sEp/x", false), MatchResult::Yes);
    }

    #[test]
    fn path_parameters_are_ignored_where_that_is_asked_for() {
        let matcher = RouteMatch::path(PathMatch::Exact("/a/b".into()));
        for path in ["/a;x/b", "/a;x/b;y", "/a;x;y/b?q;w/c", "/a/b?x"] {
            assert_eq!(fit(&matcher, path, true), MatchResult::Yes, "{path}");
        }
        assert_eq!(fit(&matcher, "/a;x/b", false), MatchResult::No);
        assert_eq!(fit(&matcher, "/a;x", true), MatchResult::No);
    }

    #[test]
    fn a_condition_that_is_not_modelled_matters_only_to_requests_that_meet_the_others() {
        let matcher = RouteMatch {
            unmodelled: Some("tls_context"),
            ..RouteMatch::path(PathMatch::Prefix("/a".into()))
        };
        assert_eq!(
            fit(&matcher, "/a", false),
            MatchResult::Unknown("tls_context")
        );
        assert_eq!(fit(&matcher, "/b", false), MatchResult::No);
    }

    #[test]
    fn grpc_goes_by_the_content_type() {
        let matcher = RouteMatch {
            grpc: true,
            ..RouteMatch::path(PathMatch::Prefix("/".into()))
        };
        for (content_type, matches) in [
            ("application/grpc", true),
            ("application/grpc+proto", true),
            ("application/grpc-web", false),
            ("application/GRPC", false),
        ] {
            let headers = [(":path", "/"), ("content-type", content_type)];
            assert_eq!(matcher.matches(&HeaderList(&headers)), matches);
        }
    }
}
