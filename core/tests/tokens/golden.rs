//! Texts sealed by version 0.1.0: clients still send them after an upgrade.

use spillgate_core::affinity::{KeyRing, Life, Token, TokenCarrier, TokenKey, TokenRules};

const RULES: TokenRules<'_> = TokenRules {
    now: 1_800_000_100,
    scope: "shop.example",
    max_life: 86_400,
    epoch: 7,
};

fn ring() -> KeyRing {
    let second = TokenKey::from_base64(2, "QWxsIHRoYXQgZ2xpdHRlcnMgaXMgbm90IGdvbGQsLS0=");
    let first = TokenKey::new(9, b"only these tests seal with this!");
    KeyRing::new([(9, first), (2, second)]).unwrap()
}

fn token(key: &TokenKey, session: u64) -> Token {
    let life = Life {
        ttl: 3_600,
        max: 86_400,
    };
    Token {
        session,
        host: key.host_id("shop-primary", "127.1.0.1:23080"),
        cluster: key.cluster_id("shop-primary"),
        scope: key.scope_id(RULES.scope),
        subset: key.subset_id(b"stage=prod"),
        issued: 1_800_000_000,
        expires: life.expiry(1_800_000_000, 1_800_000_000),
        epoch: 7,
    }
}

const TOKENS: [&str; 2] = [
    "AQncK0qug9UPUV2ihH2V_p9qjIc32zSuW0d17KAiLsxUs8giaRrE02yooJhm4t5JSnIW6o1L0Te6WqycSNffCNMzQc9emTuXPSI1rC__bzQ5Vxd03PpaQAdN",
    "AQKXp7ZV61E_R2U1izrnPvZWnhfKOa31RgckX5s9T9vpZMkDGEDTJVrFaHRajjCP6OCNuQmsWvHuSO5d3xJEKCaCYu9nFz5lcUJp18yBVAsVnksQd0XKPpWI",
];

/// For a cookie and for a header.
const CARRIED: [&str; 2] = [
    "AwnjDirSaCwEvLJHIEM6gRAVoeHXN8lQZ38VYMANBLOjLVa8VnJOinfHNr64f9qxL8yHe2uDA93rh8sjWa6OtffCw5XTllzsoxmtOtaW9SgKmGJVdO23fpAJ",
    "BAnaPU-TzP3InqrEDc9C8xD8xVxHaUUbf_QwCYCxLLTg1svxk_tzqhbtNzr3RAsI9TsCr6uNnytgtsGBNkvcx3Fm4ZHRoVy_Be8T1Ybjfk8I89ygqv0wIXKJ",
];

const ENVELOPES: [&str; 2] = [
    "Agkf-Bsv-gKzhxkpuUi531TdCkrkR1yMzG0vFlC0LLeNT1YUIGk6KF7yjQLAXJsFf54t9IkW5O3-YyEXDc7bvFNrsGzf1ZKphTozk3qjShKFcqHTp1XizUjEcfoX2yg96bGHSFOITPX7bzULvR5QZDom52fS68K1oMU",
    "AgJw-zs4KGodqom5kIphw-CDRpU6YekTWO2c0M9J_5y3jlcVhtgnlzZA0zRak5rC0GcP3dHoutkLDKOHZy7CGeLQosIYPRMbGTInkzNehF2aSrh0W3djg61T2xDw6Tgl14ebHrC8LAdM52rUc9HjrWKh0NiqDeyCs4U",
];

#[test]
fn texts_of_version_0_1_0_open_and_seal_to_the_same_text() {
    let ring = ring();
    for (index, key) in ring.keys().enumerate() {
        let token = token(key, 0x0123_4567_89ab_cdef + index as u64);
        let opened = ring.open(TOKENS[index].as_bytes(), &RULES).unwrap();
        assert_eq!((opened.token, opened.key), (token, index));
        let envelope = ring
            .open_envelope(ENVELOPES[index].as_bytes(), &RULES)
            .unwrap();
        assert_eq!(envelope.opened.token, token);
        assert_eq!(envelope.inner, b"mcp-session-4711");

        let only = KeyRing::new([(key.id(), Ok(key.clone()))]).unwrap();
        assert_eq!(only.seal(&token).as_str(), TOKENS[index]);
        let sealed = only.seal_envelope(&token, b"mcp-session-4711");
        assert_eq!(sealed.as_deref(), Some(ENVELOPES[index]));
    }
}

#[test]
fn tokens_for_one_carrier_seal_to_the_same_text() {
    let ring = ring();
    let token = token(ring.first(), 7);
    for (carrier, text) in [TokenCarrier::Cookie, TokenCarrier::Header]
        .into_iter()
        .zip(CARRIED)
    {
        assert_eq!(ring.seal_for(carrier, &token).as_str(), text);
        let opened = ring.open(text.as_bytes(), &RULES).unwrap();
        assert_eq!((opened.token, opened.carrier), (token, Some(carrier)));
    }
}
