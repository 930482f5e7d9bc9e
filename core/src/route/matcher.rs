//! The conditions of a route (`envoy.config.route.v3.RouteMatch`).

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    CookieMatch, FractionalPercent, HeaderMatch, Headers, Pattern, QueryMatch,
    text_match::{Case, equal, starts_with},
};

/// The conditions of a route; all must hold.
///
/// # Examples
/// ```
/// use spillgate_core::route::{HeaderList, PathMatch, RouteMatch};
///
/// let shop = RouteMatch::path(PathMatch::PathSeparatedPrefix("/shop".into()));
/// let matches = |path| shop.matches(&HeaderList(&[(":path", path)]));
/// assert!(matches("/shop?id=1"));
/// assert!(matches("/shop/cart"));
/// assert!(!matches("/shopping"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMatch {
    /// The condition on the path.
    pub path: PathMatch,
    /// Whether the path comparison is case-sensitive (`case_sensitive`, default true). Regular
    /// expressions ignore this field.
    pub case_sensitive: bool,
    /// The conditions on headers (`headers`).
    pub headers: Vec<HeaderMatch>,
    /// The conditions on query parameters (`query_parameters`).
    pub query_parameters: Vec<QueryMatch>,
    /// The conditions on cookies (`cookies`).
    pub cookies: Vec<CookieMatch>,
    /// Whether only gRPC requests match (`grpc`).
    pub grpc: bool,
    /// The share of the requests that match (`runtime_fraction`), see [`RandomNumbers`](super::RandomNumbers).
    /// [`fit`](Self::fit) ignores it.
    pub fraction: Option<FractionalPercent>,
    /// A field that the engine does not model. A request that meets all other conditions may or may
    /// not match.
    pub unmodeled: Option<&'static str>,
}

/// A condition on the path without query and fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathMatch {
    /// The path starts with this text (`prefix`).
    Prefix(String),
    /// The path equals this text (`path`).
    Exact(String),
    /// The path equals this text or continues with `/` after it (`path_separated_prefix`).
    PathSeparatedPrefix(String),
    /// The whole path matches (`safe_regex`).
    Regex(Pattern),
    /// A path condition that the engine does not model, see [`RouteMatch::unmodeled`].
    Unmodeled,
}

/// Whether path parameters, from `;` to the next `/`, are part of the path
/// (`RouteConfiguration.ignore_path_parameters_in_path_matching`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PathParameters {
    /// Path parameters are compared.
    #[default]
    Keep,
    /// Path parameters are removed before the comparison.
    Ignore,
}

/// The result of matching a request against a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchResult {
    /// The request does not match.
    No,
    /// The request matches.
    Yes,
    /// The request meets all modeled conditions; this field is not modeled.
    Unknown(&'static str),
}

impl RouteMatch {
    /// The conditions of a route that checks only the path.
    #[must_use]
    pub const fn path(path: PathMatch) -> Self {
        Self {
            path,
            case_sensitive: true,
            headers: Vec::new(),
            query_parameters: Vec::new(),
            cookies: Vec::new(),
            grpc: false,
            fraction: None,
            unmodeled: None,
        }
    }

    /// Whether a request matches; false if a field that is not modeled decides.
    #[must_use]
    pub fn matches<H: Headers>(&self, headers: &H) -> bool {
        self.fit(headers, PathParameters::Keep) == MatchResult::Yes
    }

    /// Matches a request. With [`PathParameters::Ignore`], path parameters, from `;` to the next
    /// `/`, are removed first (`RouteConfiguration.ignore_path_parameters_in_path_matching`).
    #[must_use]
    pub fn fit<H: Headers>(&self, headers: &H, parameters: PathParameters) -> MatchResult {
        let target = headers.first(":path").unwrap_or_default();
        let mut path = Cow::Borrowed(without_query(target));
        if parameters == PathParameters::Ignore && path.contains(&b';') {
            path = Cow::Owned(without_parameters(&path));
        }
        let case = if self.case_sensitive {
            Case::Sensitive
        } else {
            Case::Insensitive
        };
        let fits = self.path.matches(&path, case)
            && self.headers.iter().all(|header| header.matches(headers))
            && self.query_parameters.iter().all(|q| q.matches(target))
            && self.cookies.iter().all(|cookie| cookie.matches(headers))
            && (!self.grpc || is_grpc(headers));
        match self.unmodeled {
            _ if !fits => MatchResult::No,
            // It matches requests for a tunnel only.
            Some("connect_matcher") if headers.first(":method") != Some(b"CONNECT") => {
                MatchResult::No
            }
            None => MatchResult::Yes,
            Some(condition) => MatchResult::Unknown(condition),
        }
    }
}

impl PathMatch {
    fn matches(&self, path: &[u8], case: Case) -> bool {
        match self {
            Self::Prefix(prefix) => starts_with(path, prefix.as_bytes(), case),
            Self::Exact(exact) => equal(path, exact.as_bytes(), case),
            Self::PathSeparatedPrefix(prefix) => {
                starts_with(path, prefix.as_bytes(), case)
                    && matches!(path.get(prefix.len()), None | Some(b'/'))
            }
            Self::Regex(pattern) => pattern.matches(path),
            Self::Unmodeled => true,
        }
    }
}

pub(super) fn without_query(path: &[u8]) -> &[u8] {
    path.split(|&byte| byte == b'?' || byte == b'#')
        .next()
        .unwrap_or_default()
}

fn without_parameters(path: &[u8]) -> Vec<u8> {
    let mut remaining = Vec::with_capacity(path.len());
    let mut in_parameter = false;
    for &byte in path {
        in_parameter = byte != b'/' && (in_parameter || byte == b';');
        if !in_parameter {
            remaining.push(byte);
        }
    }
    remaining
}

/// Whether a request is one of gRPC, by its `content-type` (`Grpc::Common::isGrpcRequestHeaders`).
pub fn is_grpc<H: Headers>(headers: &H) -> bool {
    let content_type = headers.first("content-type").unwrap_or_default();
    let rest = content_type.strip_prefix(b"application/grpc");
    matches!(rest, Some([] | [b'+', ..]))
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn fit(matcher: &RouteMatch, path: &str, parameters: PathParameters) -> MatchResult {
        matcher.fit(&HeaderList(&[(":path", path)]), parameters)
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
                fit(&matcher, path, PathParameters::Keep) == MatchResult::Yes,
                matches,
                "{path}"
            );
        }
        matcher.case_sensitive = false;
        assert_eq!(
            fit(&matcher, "/sEp/x", PathParameters::Keep),
            MatchResult::Yes
        );
    }

    #[test]
    fn path_parameters_are_ignored_if_configured() {
        let matcher = RouteMatch::path(PathMatch::Exact("/a/b".into()));
        for path in ["/a;x/b", "/a;x/b;y", "/a;x;y/b?q;w/c", "/a/b?x"] {
            assert_eq!(
                fit(&matcher, path, PathParameters::Ignore),
                MatchResult::Yes,
                "{path}"
            );
        }
        assert_eq!(
            fit(&matcher, "/a;x/b", PathParameters::Keep),
            MatchResult::No
        );
        assert_eq!(
            fit(&matcher, "/a;x", PathParameters::Ignore),
            MatchResult::No
        );
    }

    #[test]
    fn an_unmodeled_condition_matters_only_if_all_others_hold() {
        let matcher = RouteMatch {
            unmodeled: Some("tls_context"),
            ..RouteMatch::path(PathMatch::Prefix("/a".into()))
        };
        assert_eq!(
            fit(&matcher, "/a", PathParameters::Keep),
            MatchResult::Unknown("tls_context")
        );
        assert_eq!(fit(&matcher, "/b", PathParameters::Keep), MatchResult::No);
    }

    #[test]
    fn grpc_requests_are_recognized_by_the_content_type() {
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
