//! Clients that keep a session: cookies and configured response headers.

use std::collections::BTreeMap;

use super::row::Row;

/// Names with values; names in lower case.
pub(super) type Headers = Vec<(String, String)>;

/// The clients of a scenario by name.
#[derive(Debug)]
pub(super) struct Sessions<'m> {
    keep: &'m [String],
    jars: BTreeMap<String, Jar>,
}

/// What one client keeps.
#[derive(Debug, Default)]
struct Jar {
    cookies: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
}

impl<'m> Sessions<'m> {
    /// Clients that keep cookies and these headers.
    pub(super) fn new(keep: &'m [String]) -> Self {
        Self {
            keep,
            jars: BTreeMap::new(),
        }
    }

    /// The headers of a request, with the cookies and headers of its client.
    pub(super) fn headers_of(&self, row: &Row) -> Headers {
        let mut headers = row.headers.clone();
        let Some(jar) = row.session.as_ref().and_then(|name| self.jars.get(name)) else {
            return headers;
        };
        let has = |headers: &Headers, name: &str| {
            headers
                .iter()
                .any(|(have, _)| have.eq_ignore_ascii_case(name))
        };
        for (name, value) in &jar.headers {
            if !has(&headers, name) {
                headers.push((name.clone(), value.clone()));
            }
        }
        let pairs = jar
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let pairs = pairs.collect::<Vec<_>>().join("; ");
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

    /// Keeps the cookies and headers of a response.
    pub(super) fn learn(&mut self, row: &Row, response: &Headers) {
        let Some(name) = &row.session else { return };
        let jar = self.jars.entry(name.clone()).or_default();
        for (name, value) in response {
            if name == "set-cookie" {
                jar.set_cookie(value);
            } else if self.keep.contains(name) {
                jar.headers.insert(name.clone(), value.clone());
            }
        }
    }
}

impl Jar {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(session: Option<&str>) -> Row {
        let row = serde_json::json!({"i": 0, "path": "/", "headers": [["cookie", "a=1"]],
            "session": session});
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn a_session_keeps_cookies_and_headers() {
        let keep = ["x-sess".to_owned()];
        let mut sessions = Sessions::new(&keep);
        let response = [
            ("set-cookie", "u=\"v\"; Path=/"),
            ("x-sess", "s"),
            ("x", "y"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        sessions.learn(&row(Some("c")), &response.to_vec());
        let owned = |pairs: &[(&str, &str)]| -> Headers {
            let pairs = pairs.iter();
            pairs
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect()
        };
        assert_eq!(
            sessions.headers_of(&row(Some("c"))),
            owned(&[("cookie", "a=1; u=v"), ("x-sess", "s")])
        );
        assert_eq!(sessions.headers_of(&row(None)), owned(&[("cookie", "a=1")]));
        let gone = vec![("set-cookie".to_owned(), "u=; Max-Age=0".to_owned())];
        sessions.learn(&row(Some("c")), &gone);
        assert_eq!(
            sessions.headers_of(&row(Some("c"))),
            owned(&[("cookie", "a=1"), ("x-sess", "s")])
        );
    }
}
