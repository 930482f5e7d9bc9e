//! What a client keeps of responses: cookies and session headers.

use std::collections::BTreeMap;

/// Names with values; names in lower case.
pub type PlainHeaders = Vec<(String, String)>;

/// What one client keeps.
#[derive(Debug, Default)]
pub struct SessionJar {
    cookies: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
}

impl SessionJar {
    /// PlainHeaders of a request, with the kept ones.
    pub fn with_own(&self, headers: &PlainHeaders) -> PlainHeaders {
        let mut headers = headers.clone();
        let has = |headers: &PlainHeaders, name: &str| {
            headers
                .iter()
                .any(|(have, _)| have.eq_ignore_ascii_case(name))
        };
        for (name, value) in &self.headers {
            if !has(&headers, name) {
                headers.push((name.clone(), value.clone()));
            }
        }
        let pairs = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("; ");
        let cookie = headers
            .iter_mut()
            .find(|(name, _)| name.eq_ignore_ascii_case("cookie"));
        match cookie {
            _ if pairs.is_empty() => {}
            Some((_, value)) => *value = format!("{value}; {pairs}"),
            None => headers.push(("cookie".into(), pairs)),
        }
        headers
    }

    /// Keeps the cookies, and these headers, of a response.
    pub fn learn(&mut self, response: &PlainHeaders, keep: &[String]) {
        for (name, value) in response {
            if name == "set-cookie" {
                self.set_cookie(value);
            } else if keep.contains(name) {
                self.headers.insert(name.clone(), value.clone());
            }
        }
    }

    /// Keeps a cookie, or removes it if its maximum age is 0.
    fn set_cookie(&mut self, text: &str) {
        let mut parts = text.split(';').map(str::trim);
        let pair = parts.next().unwrap_or_default();
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = value.trim_matches('"');
        if value.is_empty() && parts.any(|part| part.eq_ignore_ascii_case("max-age=0")) {
            self.cookies.remove(name);
        } else {
            self.cookies.insert(name.into(), value.into());
        }
    }
}
