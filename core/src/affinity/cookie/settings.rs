//! The settings of the session cookie and its `set-cookie` header.

use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::{error::Error, fmt};

/// The configured settings of the session cookie. The defaults are `spillgate`, 3600 s, `/`,
/// `Secure`, `SameSite=Lax`, `HttpOnly`, without `__Host-` prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CookieSettings {
    /// The cookie name without prefix, a token of RFC 9110.
    pub name: String,
    /// How long clients keep the cookie, in seconds (`Max-Age`); 0 makes a session cookie without
    /// `Max-Age`.
    pub ttl: u64,
    /// The `Path` attribute. It must start with `/`.
    pub path: String,
    /// The `Secure` attribute: clients send the cookie only over TLS.
    pub secure: bool,
    /// The `SameSite` attribute.
    pub same_site: SameSite,
    /// Whether the name has the prefix `__Host-`. Clients then reject the cookie if another domain
    /// or an insecure origin sets it.
    pub host_prefix: bool,
    /// The `HttpOnly` attribute: scripts cannot read the cookie.
    pub http_only: bool,
}

/// Which cross-site requests carry the cookie (`SameSite`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// No cross-site requests.
    Strict,
    /// Top-level navigations, such as links.
    Lax,
    /// All requests. Clients require `Secure` in this case.
    None,
}

/// A cookie with valid settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCookie {
    name: Box<str>,
    /// The attributes after the value, with the leading `; `.
    attributes: Box<str>,
    /// The value of the `set-cookie` header that removes the cookie.
    removal: Box<str>,
}

/// A setting that clients would reject or understand differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CookieFault {
    /// The name is not a token (RFC 9110), or it starts with `__Host-` or `__Secure-`.
    Name,
    /// The path does not start with `/`, or contains `;` or a non-printable character.
    Path,
    /// The prefix `__Host-` requires the path `/`.
    HostPrefixPath,
    /// The prefix `__Host-` requires `Secure`.
    HostPrefixSecure,
    /// `SameSite=None` requires `Secure`.
    SameSiteSecure,
}

const HOST_PREFIX: &str = "__Host-";

impl Default for CookieSettings {
    fn default() -> Self {
        Self {
            name: "spillgate".into(),
            ttl: 3_600,
            path: "/".into(),
            secure: true,
            same_site: SameSite::Lax,
            host_prefix: false,
            http_only: true,
        }
    }
}

impl SessionCookie {
    /// Checks the settings.
    ///
    /// # Errors
    /// All invalid settings, not only the first.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{CookieFault, CookieSettings, SessionCookie};
    ///
    /// let cookie = SessionCookie::new(&CookieSettings::default()).unwrap();
    /// assert_eq!(
    ///     cookie.set("TOKEN"),
    ///     "spillgate=TOKEN; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax"
    /// );
    ///
    /// let settings = CookieSettings {
    ///     host_prefix: true,
    ///     path: "/shop".into(),
    ///     ..CookieSettings::default()
    /// };
    /// let faults = SessionCookie::new(&settings).unwrap_err();
    /// assert_eq!(faults, [CookieFault::HostPrefixPath]);
    /// ```
    pub fn new(settings: &CookieSettings) -> Result<Self, Vec<CookieFault>> {
        let CookieSettings { name, path, .. } = settings;
        let is_path = |byte: u8| byte == b' ' || byte.is_ascii_graphic() && byte != b';';
        let faults = [
            (!is_name(name), CookieFault::Name),
            (
                !path.starts_with('/') || !path.bytes().all(is_path),
                CookieFault::Path,
            ),
            (
                settings.host_prefix && path != "/",
                CookieFault::HostPrefixPath,
            ),
            (
                settings.host_prefix && !settings.secure,
                CookieFault::HostPrefixSecure,
            ),
            (
                settings.same_site == SameSite::None && !settings.secure,
                CookieFault::SameSiteSecure,
            ),
        ]
        .into_iter()
        .filter_map(|(is, fault)| is.then_some(fault));
        let faults: Vec<_> = faults.collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let prefix = if settings.host_prefix {
            HOST_PREFIX
        } else {
            ""
        };
        let max_age = (settings.ttl > 0).then_some(settings.ttl);
        Ok(Self {
            name: format!("{prefix}{name}").into(),
            attributes: attributes(settings, max_age).into(),
            removal: format!("{prefix}{name}={}", attributes(settings, Some(0))).into(),
        })
    }

    /// The full name, with prefix.
    #[must_use]
    pub const fn name(&self) -> &str {
        &self.name
    }

    /// The value of the `set-cookie` header for a token.
    #[must_use]
    pub fn set(&self, token: &str) -> String {
        [&self.name, "=", token, &self.attributes].concat()
    }

    /// The value of the `set-cookie` header that removes the cookie: `Max-Age=0`, and the other
    /// attributes as in [`SessionCookie::set`], because clients ignore a removal that differs in
    /// `Path`, or that lacks the attributes that the prefix `__Host-` requires.
    #[must_use]
    pub const fn removal(&self) -> &str {
        &self.removal
    }
}

/// The attributes, with `Max-Age` in seconds.
fn attributes(settings: &CookieSettings, max_age: Option<u64>) -> String {
    let mut text = format!("; Path={}", settings.path);
    if let Some(seconds) = max_age {
        text.push_str(&format!("; Max-Age={seconds}"));
    }
    if settings.http_only {
        text.push_str("; HttpOnly");
    }
    if settings.secure {
        text.push_str("; Secure");
    }
    text.push_str(match settings.same_site {
        SameSite::Strict => "; SameSite=Strict",
        SameSite::Lax => "; SameSite=Lax",
        SameSite::None => "; SameSite=None",
    });
    text
}

/// Whether the name is a token of RFC 9110. Clients interpret prefixes in any case, so only the
/// settings may add one.
fn is_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let starts_with = |prefix: &str| {
        name.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let has_prefix = starts_with(HOST_PREFIX) || starts_with("__Secure-");
    !name.is_empty() && !has_prefix && name.bytes().all(is_token)
}

impl fmt::Display for CookieFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "not a token (RFC 9110), or starts with __Host- or __Secure-",
            Self::Path => "must start with / and contain neither ; nor control characters",
            Self::HostPrefixPath => "host_prefix requires the path /",
            Self::HostPrefixSecure => "host_prefix requires secure",
            Self::SameSiteSecure => "same_site None requires secure",
        })
    }
}

impl Error for CookieFault {}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &CookieSettings) -> String {
        SessionCookie::new(settings).unwrap().set("TOKEN")
    }

    #[test]
    fn the_set_cookie_text_is_exact() {
        let default = CookieSettings::default();
        assert_eq!(
            set(&default),
            "spillgate=TOKEN; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax"
        );
        let host = CookieSettings {
            host_prefix: true,
            ttl: 0,
            same_site: SameSite::None,
            ..default.clone()
        };
        assert_eq!(
            set(&host),
            "__Host-spillgate=TOKEN; Path=/; HttpOnly; Secure; SameSite=None"
        );
        let plain = CookieSettings {
            name: "s".into(),
            path: "/shop/a b".into(),
            secure: false,
            http_only: false,
            same_site: SameSite::Strict,
            ..default
        };
        assert_eq!(
            set(&plain),
            "s=TOKEN; Path=/shop/a b; Max-Age=3600; SameSite=Strict"
        );
    }

    #[test]
    fn a_removal_has_the_attributes_of_the_cookie() {
        let removal = |settings: &CookieSettings| {
            let cookie = SessionCookie::new(settings).unwrap();
            String::from(cookie.removal())
        };
        let default = CookieSettings::default();
        assert_eq!(
            removal(&default),
            "spillgate=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"
        );
        let browser_session = CookieSettings {
            host_prefix: true,
            ttl: 0,
            same_site: SameSite::None,
            ..default
        };
        assert_eq!(
            removal(&browser_session),
            "__Host-spillgate=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None"
        );
    }

    #[test]
    fn all_faults_are_reported_together() {
        let faults = SessionCookie::new(&CookieSettings {
            name: "a=b".into(),
            path: "shop".into(),
            secure: false,
            same_site: SameSite::None,
            host_prefix: true,
            ..CookieSettings::default()
        });
        let all = [
            CookieFault::Name,
            CookieFault::Path,
            CookieFault::HostPrefixPath,
            CookieFault::HostPrefixSecure,
            CookieFault::SameSiteSecure,
        ];
        assert_eq!(faults.unwrap_err(), all);
    }

    #[test]
    fn names_and_paths_are_checked() {
        let faults = |name: &str, path: &str| {
            let settings = CookieSettings {
                name: name.into(),
                path: path.into(),
                ..CookieSettings::default()
            };
            SessionCookie::new(&settings).err().unwrap_or_default()
        };
        for name in [
            "",
            "a b",
            "a;",
            "\u{e9}",
            "a\"",
            "__Host-a",
            "__host-a",
            "__Secure-a",
        ] {
            assert_eq!(faults(name, "/"), [CookieFault::Name], "{name}");
        }
        for path in ["", "a", "/;", "/\n", "/\u{e9}"] {
            assert_eq!(faults("a", path), [CookieFault::Path], "{path}");
        }
        assert_eq!(faults("!#$%&'*+-.^_`|~09azAZ", "/a/"), []);
    }
}
