//! Cookies that Envoy generates for clients without one.

use alloc::{format, string::String, vec::Vec};

use super::{Connection, CookieSource, HashPolicy, Headers, hash_policy::combined};

/// The `set-cookie` headers that Envoy adds to the response: one for each cookie that a hash policy
/// generated, in order. Envoy adds them when an upstream host has answered.
///
/// # Examples
/// ```
/// use spillgate_core::route::{Connection, CookieSource, HashPolicy, HashSource, HeaderList};
/// use spillgate_core::route::set_cookies;
///
/// let cookie = CookieSource { name: "sid".into(), ttl: Some(60), ..CookieSource::default() };
/// let policies = [HashPolicy { source: HashSource::Cookie(cookie), terminal: false }];
/// let connection = Connection::default();
/// let headers = HeaderList(&[("cookie", "sid=known")]);
/// assert!(set_cookies(&policies, &headers, &connection).is_empty());
/// let headers = HeaderList::<&str, &str>(&[]);
/// assert_eq!(set_cookies(&policies, &headers, &connection).len(), 1);
/// ```
#[must_use]
pub fn set_cookies<H: Headers>(
    policies: &[HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
) -> Vec<String> {
    let mut cookies = Vec::new();
    combined(policies, headers, connection, |source| {
        cookies.push(source.set_cookie(connection));
        true
    });
    cookies
}

impl CookieSource {
    fn set_cookie(&self, connection: &Connection<'_>) -> String {
        let mut text = format!("{}=\"", self.name);
        text.extend(connection.cookie_value().map(char::from));
        text.push('"');
        if let Some(ttl @ 1..) = self.ttl {
            text.push_str(&format!("; Max-Age={ttl}"));
        }
        if !self.path.is_empty() {
            text.push_str("; Path=");
            text.push_str(&self.path);
        }
        for (name, value) in &self.attributes {
            text.push_str("; ");
            text.push_str(name);
            if !value.is_empty() {
                text.push('=');
                text.push_str(value);
            }
        }
        text.push_str("; HttpOnly");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HashSource, HeaderList};
    use super::*;

    fn cookies(source: CookieSource, headers: &[(&str, &str)]) -> Vec<String> {
        let policies = [HashPolicy {
            source: HashSource::Cookie(source),
            terminal: false,
        }];
        let connection = Connection {
            remote: "127.0.0.1:58154",
            local: "127.0.0.1:21000",
            ..Connection::default()
        };
        set_cookies(&policies, &HeaderList(headers), &connection)
    }

    #[test]
    fn the_set_cookie_text_is_envoys() {
        let pair = |name: &str, value: &str| (name.into(), value.into());
        let full = CookieSource {
            name: "sid".into(),
            ttl: Some(100),
            path: "/p".into(),
            attributes: [pair("SameSite", "Lax"), pair("Secure", "")].into(),
        };
        assert_eq!(
            cookies(full.clone(), &[]),
            ["sid=\"9cbe33ed914dad2e\"; Max-Age=100; Path=/p; SameSite=Lax; Secure; HttpOnly"]
        );
        let session = CookieSource {
            ttl: Some(0),
            path: String::new(),
            attributes: Vec::new(),
            ..full.clone()
        };
        assert_eq!(
            cookies(session, &[]),
            ["sid=\"9cbe33ed914dad2e\"; HttpOnly"]
        );
        assert!(cookies(full.clone(), &[("cookie", "sid=1")]).is_empty());
        assert!(cookies(CookieSource { ttl: None, ..full }, &[]).is_empty());
    }
}
