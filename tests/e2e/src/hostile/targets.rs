//! Texts that name a server, in every notation that some parser understands.

/// Hosts that an attacker would like to reach, without a port.
const HOSTS: [&str; 46] = [
    // Loopback and its short, decimal, octal and hexadecimal forms.
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7F.1",
    "127.0.0.1.",
    "127.000.000.001",
    "127.0.0.1 ",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
    "127.255.255.254",
    // IPv6.
    "::1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::]",
    "[::1%25lo]",
    "[fe80::1%eth0]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    // Metadata services of clouds, and private networks.
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "10.0.0.1",
    "192.168.0.1",
    // Names.
    "localhost",
    "LOCALHOST",
    "localhost.localdomain",
    "metadata.google.internal",
    "127.0.0.1.nip.io",
    "kubernetes.default.svc",
    "private",
    "admin",
];

/// Texts around an address: `@` is its place.
const AROUND: [&str; 28] = [
    "@",
    " @",
    "@ ",
    "\t@",
    "@,",
    ",@",
    "@,@",
    "@;@",
    "http://@/",
    "https://@/",
    "//@/",
    "@/",
    "@?x=1",
    "@#x",
    "user@@",
    "user:password@@",
    "@@127.0.0.1",
    "\"@\"",
    "'@'",
    "<@>",
    "envoy://@",
    "unix:@",
    "tcp://@",
    "%40@",
    "@%00",
    "@%0d%0a",
    "dns:///@",
    "ipv4:@",
];

/// At least 10,000 different texts that name one of these victims or a usual target, with each of
/// these ports and without one.
#[must_use]
pub fn target_texts(victims: &[String], ports: &[u16]) -> Vec<String> {
    let mut ends: Vec<String> = ports.iter().map(|port| format!(":{port}")).collect();
    ends.extend(["", ":", ":0", ":65536", ":+80", ":0x50"].map(str::to_owned));
    let mut addresses = victims.to_vec();
    for host in HOSTS {
        addresses.extend(ends.iter().map(|end| format!("{host}{end}")));
    }
    let mut texts: Vec<String> = addresses
        .iter()
        .flat_map(|address| AROUND.map(|around| placed(around, address)))
        .collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// The text with the address at each `@`, except where the `@` of a URL is meant.
fn placed(around: &str, address: &str) -> String {
    match around {
        "user@@" => format!("user@{address}"),
        "user:password@@" => format!("user:password@{address}"),
        "@@127.0.0.1" => format!("{address}@127.0.0.1"),
        _ => around.replace('@', address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_ten_thousand_and_none_is_empty() {
        let texts = target_texts(&["127.9.9.9:1".to_owned()], &[80, 9901, 1]);
        assert!(texts.len() >= 10_000, "{}", texts.len());
        assert!(texts.iter().all(|text| !text.trim().is_empty()));
        assert!(texts.contains(&"user@127.9.9.9:1".to_owned()));
        assert!(texts.contains(&"http://[::1]:9901/".to_owned()));
    }
}
