//! Clients that keep a session: cookies and configured response headers.

use std::collections::BTreeMap;

use super::row::Row;
use spillgate_admin::local::{PlainHeaders, SessionJar};

/// The clients of a scenario by name.
#[derive(Debug)]
pub(super) struct Sessions<'m> {
    keep: &'m [String],
    jars: BTreeMap<String, SessionJar>,
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
    pub(super) fn headers_of(&self, row: &Row) -> PlainHeaders {
        match row.session.as_ref().and_then(|name| self.jars.get(name)) {
            Some(jar) => jar.with_own(&row.headers),
            None => row.headers.clone(),
        }
    }

    /// Keeps the cookies and headers of a response.
    pub(super) fn learn(&mut self, row: &Row, response: &PlainHeaders) {
        let Some(name) = &row.session else { return };
        self.jars
            .entry(name.clone())
            .or_default()
            .learn(response, self.keep);
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
        let owned = |pairs: &[(&str, &str)]| -> PlainHeaders {
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
