//! `affinity`: how sessions are kept.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::affinity::CookieSettings;

use super::{
    Described,
    kinds::{
        any_of, cookie_name, either, flag, flag_on, header, list, named, names_of, one, one_value,
        seconds, secret, some, some_of, text, url_path, when, whole,
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
    },
    write::{Fields, Tree, duration, within},
};

pub(super) fn affinity() -> Described {
    let states = some_of(
        names_of(&HEALTH_STATUS),
        "The states of a host that keep its sessions; DRAINING among them drains gently.",
    );
    Described {
        name: "affinity",
        schema: &AFFINITY,
        about: "How sessions stay on their host: by a sealed token that the client keeps.",
        fields: Vec::from([
            ("cookie", one("affinity_cookie", "The token is a cookie.")),
            (
                "header",
                one(
                    "affinity_named",
                    "The token is a header of this name in request and response.",
                ),
            ),
            (
                "envelope",
                one(
                    "affinity_named",
                    "The token is sealed around the server's own session id in the header of this name.",
                ),
            ),
            (
                "keys",
                some(
                    "affinity_key",
                    "The keys: the first one seals tokens, all open them.",
                ),
            ),
            (
                "scope",
                text("What tokens are bound to: the request's authority, or this name.")
                    .default(AUTHORITY),
            ),
            (
                "max_life",
                seconds(
                    SHORTEST_LIFE,
                    "How long a session lives at most, from its first token on.",
                )
                .default(duration(DEFAULT_MAX_LIFE)),
            ),
            (
                "epoch",
                whole(
                    0,
                    u16::MAX.into(),
                    "Tokens of an earlier epoch are refused: a higher number ends every session.",
                )
                .default(0_u32),
            ),
            ("override_host_status", states.default(list(["UNKNOWN", "HEALTHY", "DEGRADED"]))),
            (
                "on_lost",
                either(
                    REBALANCE,
                    "on_lost",
                    "What becomes of a session whose host cannot serve: it moves, or its client is answered.",
                ),
            ),
            (
                "fallback",
                named(
                    &FALLBACKS,
                    "Who chooses the host of a session that has none: hashing that is the same on every replica, or the policy of the cluster.",
                ),
            ),
            (
                "max_share",
                whole(
                    1,
                    100,
                    "How many percent of all decisions about sessions one host may get in ten seconds before new sessions avoid it; no limit when absent.",
                ),
            ),
            (
                "accept",
                any_of(
                    names_of(&COOKIES).chain(names_of(&HEADERS)),
                    "The sessions of other proxies that are honoured too: forms of cookies beside cookie, those of headers beside header.",
                )
                .default(list([])),
            ),
        ]),
        required: &["keys"],
        rules: carriers(),
    }
}

/// Exactly one carrier, and of the forms of other proxies only those that travel in it.
fn carriers() -> Fields {
    let forms = |names| within("items", within("enum", names));
    let carriers = [
        ("cookie", forms(list(names_of(&COOKIES)))),
        ("header", forms(list(names_of(&HEADERS)))),
        ("envelope", within("maxItems", 0_u32)),
    ];
    let carriers = carriers.map(|(carrier, accept)| {
        let rule = within("required", list([carrier]));
        Tree::from(rule.with("properties", within("accept", accept)))
    });
    within("oneOf", Vec::from(carriers))
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
        about: "The cookie that carries a token.",
        fields: Vec::from([
            ("name", cookie_name("Its name, without a prefix that browsers know.").default(default.name)),
            (
                "ttl",
                seconds(
                    Duration::ZERO,
                    "How long a token lives, and Max-Age; 0s: no Max-Age, and as long as the session may live.",
                )
                .default(duration(Duration::from_secs(default.ttl))),
            ),
            ("path", url_path("Which paths it is for.").default(default.path)),
            ("secure", flag_on("Whether it travels over TLS alone.")),
            (
                "same_site",
                named(&SAME_SITES, "Whether requests of other sites carry it."),
            ),
            (
                "host_prefix",
                flag("Whether its name begins with __Host-, so that no other host can set it."),
            ),
            ("http_only", flag_on("Whether scripts cannot read it.")),
            (
                "post_only",
                flag("Whether it is never set in answers to GET and HEAD, which caches may keep."),
            ),
            (
                "cache_control",
                named(
                    &CACHE_CONTROLS,
                    "What caches are told of an answer that sets it: what the server said, not to share it, or not to keep the cookie.",
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
        about: "A header that carries a token.",
        fields: Vec::from([("name", header("Its name."))]),
        required: &["name"],
        rules: Fields::new(),
    }
}

pub(super) fn key() -> Described {
    Described {
        name: "affinity_key",
        schema: &KEY,
        about: "A key of tokens.",
        fields: Vec::from([
            (
                "id",
                whole(0, u8::MAX.into(), "Its number, which tokens carry openly."),
            ),
            (
                "secret",
                secret("32 random bytes in base64: spillgate token keygen makes them."),
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
        about: "The answer to a client whose session is lost.",
        fields: Vec::from([
            (
                "status",
                whole(*STATUSES.start(), *STATUSES.end(), "Its status."),
            ),
            (
                "retry_after",
                seconds(Duration::ZERO, "Its Retry-After; none when absent."),
            ),
        ]),
        required: &["status"],
        rules: Fields::new(),
    }
}
