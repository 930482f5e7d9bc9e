//! `affinity`: session settings.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::affinity::CookieSettings;

use super::{
    Described,
    kinds::{
        any_of, cookie_name, either, flag, flag_on, header, list, named, names_of, one, one_value,
        seconds, secret, some, some_of, text, url_path, variable_name, when, whole,
    },
};
use crate::{
    envoy::HEALTH_STATUS,
    filter::affinity::{
        accept::{COOKIES, HEADERS},
        carrier::NAMED,
        cookie::{CACHE_CONTROLS, COOKIE, SAME_SITES},
        keys::KEY,
        lost::{ON_LOST, REBALANCE, STATUSES},
        read::{AFFINITY, AUTHORITY, DEFAULT_MAX_LIFE, FALLBACKS, SHORTEST_LIFE},
        uses::{SHORTEST_WINDOW, USES},
    },
    write::{Fields, Tree, duration, within},
};

pub(super) fn affinity() -> Described {
    let states = some_of(
        names_of(&HEALTH_STATUS),
        "The host statuses that keep a session. With DRAINING, sessions stay until the host is removed.",
    );
    Described {
        name: "affinity",
        schema: &AFFINITY,
        about: "Session affinity by a sealed token that the client stores.",
        fields: Vec::from([
            ("cookie", one("affinity_cookie", "Carries the token in a cookie.")),
            (
                "header",
                one(
                    "affinity_named",
                    "Carries the token in a request and response header.",
                ),
            ),
            (
                "envelope",
                one(
                    "affinity_named",
                    "Seals the token together with the server's own session id in the server's session header.",
                ),
            ),
            (
                "keys",
                some(
                    "affinity_key",
                    "The token keys: the first one seals, all open.",
                ),
            ),
            (
                "keys_from_env",
                variable_name(
                    "Name of the environment variable of the VM that contains the token keys, a JSON list as in keys.",
                ),
            ),
            (
                "scope",
                text("The token scope: the request's authority, or this name.")
                    .default(AUTHORITY),
            ),
            (
                "max_life",
                seconds(
                    SHORTEST_LIFE,
                    "Maximum session lifetime since its first token.",
                )
                .default(duration(DEFAULT_MAX_LIFE)),
            ),
            (
                "epoch",
                whole(
                    0,
                    u16::MAX.into(),
                    "Tokens of an earlier epoch are revoked: a higher number ends all sessions.",
                )
                .default(0_u32),
            ),
            ("override_host_status", states.default(list(["UNKNOWN", "HEALTHY", "DEGRADED"]))),
            (
                "on_lost",
                either(
                    REBALANCE,
                    "on_lost",
                    "Handling of a session whose host cannot serve: move it, or respond with a status.",
                ),
            ),
            (
                "fallback",
                named(
                    &FALLBACKS,
                    "Chooses the host of a new or moved session: rendezvous hashing (same host on all replicas), or the cluster's policy.",
                ),
            ),
            (
                "max_share",
                whole(
                    1,
                    100,
                    "Percentage of session decisions in the last 5 to 10 seconds above which new sessions avoid a host and, by a margin above it, kept sessions leave it; unlimited if absent.",
                ),
            ),
            (
                "max_requests_per_token",
                one(
                    "max_requests_per_token",
                    "How often one token may be used; a token used more often is treated as absent until its window ends.",
                ),
            ),
            (
                "accept",
                any_of(
                    names_of(&COOKIES).chain(names_of(&HEADERS)),
                    "Sessions of other proxies to accept. Cookie forms require cookie; header forms require header.",
                )
                .default(list([])),
            ),
        ]),
        required: &[],
        rules: carriers().with("allOf", Vec::from([Tree::from(key_sources())])),
    }
}

/// Exactly one carrier, and only forms of other proxies that use it.
fn carriers() -> Fields {
    let forms = |names| within("items", within("enum", names));
    let carriers = [
        ("cookie", forms(list(names_of(&COOKIES)))),
        ("header", forms(list(names_of(&HEADERS)))),
        ("envelope", within("maxItems", 0_u32)),
    ]
    .map(|(carrier, accept)| {
        let rule = within("required", list([carrier]));
        Tree::from(rule.with("properties", within("accept", accept)))
    });
    within("oneOf", Vec::from(carriers))
}

/// Exactly one source of keys.
fn key_sources() -> Fields {
    let sources =
        ["keys", "keys_from_env"].map(|source| Tree::from(within("required", list([source]))));
    within("oneOf", Vec::from(sources))
}

pub(super) fn cookie() -> Described {
    let default = CookieSettings::default();
    let secure = || within("secure", within("const", true));
    let rules = [
        when(
            one_value("host_prefix", true),
            secure().with("path", within("const", "/")),
        ),
        when(one_value("same_site", "None"), secure()),
    ];
    Described {
        name: "affinity_cookie",
        schema: &COOKIE,
        about: "The cookie with the token.",
        fields: Vec::from([
            ("name", cookie_name("Cookie name, without __Host- or __Secure-.").default(default.name)),
            (
                "ttl",
                seconds(
                    Duration::ZERO,
                    "Token lifetime and Max-Age. 0s: browser session cookie, whose token expires with the session.",
                )
                .default(duration(Duration::from_secs(default.ttl))),
            ),
            ("path", url_path("Path attribute.").default(default.path)),
            ("secure", flag_on("Secure attribute.")),
            (
                "same_site",
                named(&SAME_SITES, "SameSite attribute."),
            ),
            (
                "host_prefix",
                flag("Prefixes the name with __Host-, so that no other host can set the cookie."),
            ),
            ("http_only", flag_on("HttpOnly attribute.")),
            (
                "post_only",
                flag("Never sets the cookie in responses to GET and HEAD, which caches may store."),
            ),
            (
                "cache_control",
                named(
                    &CACHE_CONTROLS,
                    "cache-control of a response that sets the cookie: unchanged, private, or no-cache=\"set-cookie\".",
                ),
            ),
        ]),
        required: &[],
        rules: within("allOf", Vec::from(rules.map(Tree::from))),
    }
}

pub(super) fn named_header() -> Described {
    Described {
        name: "affinity_named",
        schema: &NAMED,
        about: "A header with the token.",
        fields: Vec::from([("name", header("Header name."))]),
        required: &["name"],
        rules: Fields::new(),
    }
}

pub(super) fn key() -> Described {
    Described {
        name: "affinity_key",
        schema: &KEY,
        about: "A token key.",
        fields: Vec::from([
            (
                "id",
                whole(
                    0,
                    u8::MAX.into(),
                    "Key id, which tokens contain in plain text.",
                ),
            ),
            (
                "secret",
                secret("32 random bytes in base64, from spillgate token keygen."),
            ),
        ]),
        required: &["id", "secret"],
        rules: Fields::new(),
    }
}

pub(super) fn on_lost() -> Described {
    Described {
        name: "on_lost",
        schema: &ON_LOST,
        about: "The response to a client whose session is lost.",
        fields: Vec::from([
            (
                "status",
                whole(*STATUSES.start(), *STATUSES.end(), "Response status."),
            ),
            (
                "retry_after",
                seconds(Duration::ZERO, "Retry-After header; omitted if absent."),
            ),
        ]),
        required: &["status"],
        rules: Fields::new(),
    }
}

pub(super) fn max_requests_per_token() -> Described {
    Described {
        name: "max_requests_per_token",
        schema: &USES,
        about: "How often one token may be used. Each worker counts on its own.",
        fields: Vec::from([
            (
                "requests",
                whole(1, u32::MAX, "Maximum number of requests in a window."),
            ),
            ("window", seconds(SHORTEST_WINDOW, "Length of the window.")),
        ]),
        required: &["requests", "window"],
        rules: Fields::new(),
    }
}
