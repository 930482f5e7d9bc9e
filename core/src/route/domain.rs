//! How well a domain of a virtual host matches a host name.

/// The rank of a match, or `None`: the kind of match (higher is better), then its length. Exact
/// domains rank first, then the longest `*.suffix`, then the longest `prefix.*`, then `*`.
pub(super) fn rank(domain: &str, host: &[u8]) -> Option<(u8, usize)> {
    if domain == "*" {
        return Some((0, 0));
    }
    let domain = domain.as_bytes();
    if let Some(suffix) = domain.strip_prefix(b"*") {
        // The wildcard matches at least one character.
        let start = host.len().checked_sub(suffix.len()).filter(|&at| at > 0)?;
        let fits = host.get(start..)?.eq_ignore_ascii_case(suffix);
        return fits.then_some((2, suffix.len()));
    }
    if let Some(prefix) = domain.strip_suffix(b"*") {
        let start = host
            .get(..prefix.len())
            .filter(|start| start.len() < host.len())?;
        return start
            .eq_ignore_ascii_case(prefix)
            .then_some((1, prefix.len()));
    }
    host.eq_ignore_ascii_case(domain)
        .then_some((3, domain.len()))
}

/// The host without its port. Colons inside an IPv6 address do not start a port.
pub(super) fn without_port(host: &[u8]) -> &[u8] {
    let Some(colon) = host.iter().rposition(|&byte| byte == b':') else {
        return host;
    };
    let address = host.get(colon..).is_some_and(|rest| rest.contains(&b']'));
    match host.get(..colon) {
        Some(name) if !address => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_matches_at_least_one_character() {
        for (domain, host, expected) in [
            ("*.org", "a.org", Some((2, 4))),
            ("*.org", "A.ORG", Some((2, 4))),
            ("*.org", ".org", None),
            ("*.org", "org", None),
            ("a.*", "a.org", Some((1, 2))),
            ("a.*", "A.org", Some((1, 2))),
            ("a.*", "a.", None),
            ("a.*", "a", None),
            ("a.*", "b.org", None),
            ("a.org", "A.org", Some((3, 5))),
            ("a.org", "a.orgs", None),
            ("*", "", Some((0, 0))),
        ] {
            assert_eq!(rank(domain, host.as_bytes()), expected, "{domain} {host}");
        }
    }

    #[test]
    fn ports_are_removed() {
        for (host, name) in [
            ("a.org:80", "a.org"),
            ("a.org", "a.org"),
            ("[::1]:80", "[::1]"),
            ("[::1]", "[::1]"),
            ("", ""),
        ] {
            assert_eq!(without_port(host.as_bytes()), name.as_bytes());
        }
    }
}
