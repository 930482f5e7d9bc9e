//! Which requests a route is for.

use spillgate_config::envoy::RegexCompiler;
use spillgate_core::route::{
    CookieMatch, HeaderMatch, HeaderMatcher, PathMatch, Pattern, QueryMatch, QueryMatcher,
    RegexRewrite, RouteMatch, StringMatch, TextMatch,
};

use super::{Dice, routes::Making};

/// Expressions that RE2 and the compiler of the command line understand alike.
const EXPRESSIONS: [&str; 4] = ["/api/v[0-9]+/.*", "a|b", ".*\\.org", "(\\w+)-(\\w+)"];

impl Dice {
    pub(super) fn route_match(&mut self, making: Making<'_>) -> RouteMatch {
        let path = match self.below(5) {
            0 => PathMatch::Exact(self.one(&["/", "/cart", ""]).into()),
            1 => PathMatch::PathSeparatedPrefix(self.one(&["/api", "/a/b"]).into()),
            2 => PathMatch::Regex(self.pattern(making.compile)),
            _ => PathMatch::Prefix(self.one(&["/", "/api/", ""]).into()),
        };
        let mut of = RouteMatch::path(path);
        of.case_sensitive = self.chance(80);
        of.grpc = self.chance(10);
        for _ in 0..self.below(3) {
            of.headers.push(HeaderMatch {
                name: self.header(),
                matcher: self.header_matcher(making),
                invert: self.chance(30),
                missing_as_empty: self.chance(30),
            });
        }
        for _ in 0..self.below(2) {
            of.query_parameters.push(QueryMatch {
                name: self.text(making.extent),
                matcher: if self.chance(50) {
                    QueryMatcher::Present(self.chance(50))
                } else {
                    QueryMatcher::Text(self.string_match(making))
                },
            });
        }
        for _ in 0..self.below(2) {
            of.cookies.push(CookieMatch {
                name: self.one(&["session", "u"]).into(),
                text: self.string_match(making),
                invert: self.chance(30),
            });
        }
        of
    }

    fn header_matcher(&mut self, making: Making<'_>) -> HeaderMatcher {
        let bounds = [0, -10, 10, i64::MIN, i64::MAX, 1 << 53];
        match self.below(5) {
            0 => HeaderMatcher::Present(self.chance(50)),
            1 => HeaderMatcher::Range {
                start: self.one(&bounds),
                end: self.one(&bounds),
            },
            // The classic way to require only the presence of the header.
            2 => HeaderMatcher::Text(StringMatch {
                text: TextMatch::Prefix(String::new()),
                ignore_case: false,
            }),
            _ => HeaderMatcher::Text(self.string_match(making)),
        }
    }

    fn string_match(&mut self, making: Making<'_>) -> StringMatch {
        let text = self.text(making.extent);
        let text = match self.below(6) {
            0 => TextMatch::Prefix(text),
            1 => TextMatch::Suffix(text),
            2 => TextMatch::Contains(text),
            3 => TextMatch::Exact(String::new()),
            4 => TextMatch::Regex(self.pattern(making.compile)),
            _ => TextMatch::Exact(text),
        };
        let ignore_case = self.chance(30) && !matches!(text, TextMatch::Regex(_));
        StringMatch { text, ignore_case }
    }

    pub(super) fn pattern(&mut self, compile: RegexCompiler) -> Pattern {
        let source = self.one(&EXPRESSIONS);
        Pattern::new(source, compile(source).expect("a valid expression"))
    }

    pub(super) fn rewrite(&mut self, compile: RegexCompiler) -> RegexRewrite {
        let pattern = self.pattern(compile);
        let substitution = self.one(&["", "same", "\\0"]);
        pattern.rewrite(substitution).expect("a valid substitution")
    }
}
