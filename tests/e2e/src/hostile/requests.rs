//! Hostile requests, the same for the same seed.

use spillgate_core::draw::{Draw as _, SplitMix64};

use crate::config::{CLUSTER_HEADER, HOST_HEADER, KEY_HEADER};

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2 without TLS, by prior knowledge.
    Http2,
}

/// What an attacker would like to reach.
#[derive(Debug, Clone)]
pub struct Targets {
    /// `ip:port` of hosts that no request may reach.
    pub hosts: Vec<String>,
    /// Clusters that no request may reach.
    pub clusters: Vec<String>,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Hostile {
    /// Which of [`KINDS`].
    pub kind: &'static str,
    /// The value of the header that is hashed.
    pub key: String,
    /// Names and values in order; a name may come more than once.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Whether the cookie that is hashed as well is among them.
    pub has_hashed_cookie: bool,
}

/// What is tried.
pub const KINDS: [&str; 14] = [
    "one forged header",
    "repeated forged headers",
    "mixed case",
    "lists of hosts",
    "white space around",
    "empty values",
    "bytes that are no text",
    "names that are nearly ours",
    "forged among hundreds of others",
    "guessed secrets",
    "named as hop by hop",
    "a cookie of 60 KiB",
    "10,000 cookie pairs",
    "thousands of cookie headers",
];

/// How often each kind is tried: the large ones cost the most.
const WEIGHTS: [u64; KINDS.len()] = [12, 12, 10, 10, 8, 5, 5, 8, 5, 8, 5, 5, 2, 1];

const OURS: [&str; 6] = [
    HOST_HEADER,
    CLUSTER_HEADER,
    "x-spillgate-trace",
    "x-spillgate-debug",
    "x-gateway-destination-endpoint",
    "x-envoy-original-dst-host",
];

/// The next request for that version of HTTP.
pub fn hostile(draw: &mut SplitMix64, targets: &Targets, version: Version) -> Hostile {
    let kind = kind(draw);
    let mut forger = Forger {
        draw,
        targets,
        headers: Vec::new(),
    };
    let key = format!("user-{}", forger.below(1_000));
    forger.kind(kind);
    let mut headers = forger.headers;
    let at = draw.draw() as usize % (headers.len() + 1);
    headers.insert(at, (KEY_HEADER.to_owned(), key.clone().into_bytes()));
    if version == Version::Http2 {
        headers = as_http2(headers);
    }
    let has_hashed_cookie = headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("cookie") && value.windows(4).any(|part| part == b"uid=")
    });
    Hostile {
        kind: KINDS[kind],
        key,
        headers,
        has_hashed_cookie,
    }
}

/// Names without upper case, nothing hop by hop, and no longer cookie than a field may be: what is
/// longer is sent in several, which Envoy joins.
fn as_http2(headers: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    const LONGEST: usize = 64_000;
    const PAIRS: usize = 5_000;
    let mut legal = Vec::new();
    for (mut name, value) in headers {
        name.make_ascii_lowercase();
        if name == "connection" {
            continue;
        }
        if value.len() <= LONGEST {
            legal.push((name, value));
            continue;
        }
        let pairs: Vec<&[u8]> = value.split(|byte| *byte == b';').collect();
        for some in pairs.chunks(PAIRS) {
            legal.push((name.clone(), some.join(&b';').trim_ascii().to_vec()));
        }
    }
    legal
}

fn kind(draw: &mut SplitMix64) -> usize {
    let mut left = draw.draw() % WEIGHTS.iter().sum::<u64>();
    for (kind, weight) in WEIGHTS.iter().enumerate() {
        if left < *weight {
            return kind;
        }
        left -= weight;
    }
    0
}

struct Forger<'a> {
    draw: &'a mut SplitMix64,
    targets: &'a Targets,
    headers: Vec<(String, Vec<u8>)>,
}

impl Forger<'_> {
    fn kind(&mut self, kind: usize) {
        match kind {
            0 => self.forge(|name, _| name),
            1 => (0..2 + self.below(20)).for_each(|_| self.forge(|name, _| name)),
            2 => (0..1 + self.below(4)).for_each(|_| self.forge(mixed_case)),
            3 => self.list(),
            4 => self.spaces(),
            5 => OURS.map(|name| self.add(name, "")).into_iter().collect(),
            6 => self.no_text(),
            7 => self.nearly(),
            8 => {
                for number in 0..100 + self.below(400) {
                    self.add(&format!("x-other-{number}"), "1");
                    if number % 50 == 0 {
                        self.forge(|name, _| name);
                    }
                }
            }
            9 => {
                for guess in ["", "demo", "open sesam", "open sesame ", "Open Sesame", "1"] {
                    self.add("X-Spillgate-Debug", guess);
                }
                self.add("x-spillgate-trace", "1");
                self.forge(|name, _| name);
            }
            10 => {
                self.add("Connection", "x-spillgate-host, x-spillgate-cluster");
                self.forge(|name, _| name);
                self.forge(|name, _| name);
            }
            11 => {
                let value = "v".repeat(60 * 1024);
                self.add("cookie", &format!("uid={value}"));
                self.forge(|name, _| name);
            }
            12 => {
                let pairs: Vec<String> = (0..10_000).map(|n| format!("c{n}=v")).collect();
                self.add("cookie", &pairs.join("; "));
                self.forge(|name, _| name);
            }
            _ => {
                for number in 0..2_000 + self.below(8_000) {
                    self.add("cookie", &format!("c{number}=v"));
                }
                self.add("cookie", "uid=last");
                self.forge(|name, _| name);
            }
        }
    }

    /// Adds one of our names with something worth reaching.
    fn forge(&mut self, spelled: fn(String, &mut SplitMix64) -> String) {
        let name = OURS[self.below(OURS.len())];
        let value = self.target(name);
        let name = spelled(name.to_owned(), self.draw);
        self.add(&name, &value);
    }

    fn target(&mut self, name: &str) -> String {
        let from = match name {
            CLUSTER_HEADER => &self.targets.clusters,
            _ => &self.targets.hosts,
        };
        let at = self.draw.draw() as usize % from.len();
        from[at].clone()
    }

    fn list(&mut self) {
        let mut list = String::new();
        for _ in 0..1 + self.below(40) {
            let target = self.target(HOST_HEADER);
            let separator = [",", ", ", ",,", " ,\t"][self.below(4)];
            list += &(target + separator);
        }
        self.add(HOST_HEADER, &list);
        self.add("X-Spillgate-Host", &list);
        let clusters = self.targets.clusters.join(",");
        self.add(CLUSTER_HEADER, &clusters);
    }

    fn spaces(&mut self) {
        for name in [HOST_HEADER, CLUSTER_HEADER] {
            let target = self.target(name);
            let value = match self.below(3) {
                0 => format!("  {target}\t "),
                1 => format!("\t{target}"),
                _ => format!("{target}    "),
            };
            self.add(name, &value);
        }
    }

    fn no_text(&mut self) {
        for name in OURS {
            let mut value: Vec<u8> = (0..1 + self.below(40))
                .map(|_| 0x80 | (self.draw.draw() as u8))
                .collect();
            if self.below(2) == 0 {
                value.extend(self.target(HOST_HEADER).into_bytes());
            }
            self.headers.push((name.to_owned(), value));
        }
    }

    fn nearly(&mut self) {
        let target = self.target(HOST_HEADER);
        for name in [
            "x-spillgate-hos",
            "x-spillgate-hosts",
            "y-x-spillgate-host",
            "x-spillgate-host-",
            "x.spillgate.host",
            "x-spillgate--host",
            "spillgate-host",
        ] {
            self.add(name, &target);
        }
        self.forge(mixed_case);
    }

    fn add(&mut self, name: &str, value: &str) {
        self.headers
            .push((name.to_owned(), value.as_bytes().to_vec()));
    }

    fn below(&mut self, limit: usize) -> usize {
        self.draw.draw() as usize % limit
    }
}

fn mixed_case(name: String, draw: &mut SplitMix64) -> String {
    let bits = draw.draw();
    let flip = |(at, letter): (usize, char)| match bits >> (at % 64) & 1 {
        1 => letter.to_ascii_uppercase(),
        _ => letter,
    };
    name.chars().enumerate().map(flip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn all(version: Version) -> Vec<Hostile> {
        let targets = Targets {
            hosts: vec!["6.6.6.6:666".into()],
            clusters: vec!["evil".into()],
        };
        let mut draw = SplitMix64::new(1);
        (0..1_000)
            .map(|_| hostile(&mut draw, &targets, version))
            .collect()
    }

    #[test]
    fn every_kind_comes_up_with_one_key_each() {
        for version in [Version::Http1, Version::Http2] {
            let all = all(version);
            let kinds: BTreeSet<_> = all.iter().map(|request| request.kind).collect();
            assert_eq!(kinds.len(), KINDS.len());
            for request in &all {
                let keys = request
                    .headers
                    .iter()
                    .filter(|(name, _)| name == KEY_HEADER);
                assert_eq!(keys.count(), 1, "{}", request.kind);
            }
        }
    }

    #[test]
    fn http2_has_no_upper_case() {
        let upper = |name: &str| name.bytes().any(|byte| byte.is_ascii_uppercase());
        let of = |version| {
            all(version)
                .iter()
                .any(|request| request.headers.iter().any(|(name, _)| upper(name)))
        };
        assert!(of(Version::Http1) && !of(Version::Http2));
    }
}
