//! Patterns that Envoy 1.40 accepted or refused, and texts that matched.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use regex::bytes::Regex;

use super::translate::translate;

/// Without white space inside.
const ACCEPTED: &str = r##"
a{,2} \Qa.b\E \C (?P<n>a) (?<n>a) (?i)a (?s). (?U)a+ (?m)a \pN \p{Greek} \p{L} \pL
[[:alpha:]] [[:word:]] [a&&b] [a~~b] [[a]b] []a] [^]a] \d \w \b \B \<a \b{start} \A \z
\x41 \x{41} \101 \07 \0 \a \v \- \/ \_ é a{ a{} a{x} { } ] a{1 a{1, a{1,2 ^* $* (?i:a)
(?-i)a () a||b \x{e9} \xe9 (?P<n>a)(?P<n>b) (?P<1>a) \p{^Greek} \P{^Greek} [\p{L}] (?is)a
(?i-s)a (?)a \# \& \~ \% \! \" \' \@ \` \= \: \; \, \< \> [[.a.]] [[=a=]] [[:^alpha:]] \Q
\Qa x{0} x{0,0} [\w-a] [a-z&&[^b]] [--a] \pN{2} aéb (?i)é [à-ü] [^a] [^é] (?i)k
(?i)ſ \s [[:space:]] \S \W \D ^.$ ^..$ \x{ff} \08 \377 \p{Lu} \p{Any} \p{Latin}
\p{Old_Italic} \p{Yi} \pLu x{2}? x?? x*? ^{2} (?:^)* \b* \b+ (|a) (a|) | [a-] [-a] [a-c-e] [\d-z]
[[:alpha:]-z] [[:alpha] [:alpha:] [\n] [\a] [\x{ff}] [\101] [.] (?i:a|b)c (?ii)a (?i-i)a
(?s-i:a) (?:) \\Qa \Q\\E \Qa\E* \Q\E \Qab\E{2} \C* \pN* \pN{2,3} ^*$ \p{L}{ \f\t\n\r\v\a
[ä-] [a-ä]
"##;

const REFUSED: &str = r##"
a{1001} a{2,1} a{2}{3} a** a++ a*+ (?u)a (?-u)a (?R)a \p{Letter} \p{Alphabetic}
\p{Script=Greek} [a--b] [a-\d] [a \Z \u0041 \U00000041 \u{41} \1 \e \h \N \R \X \K \G \é
(?:a a|* * +a (?=a) \x{110000} [\x{100}] (?P=n) (?#c)a [z-a] \pX [^\x00-\x{10FFFF}] (?i-)a
[[:foo:]] \E [\Qa\E] [\b] a\ \x{100} \xfg \x{} \x4 \x \8 \18 \777 \400 (?P<é>a) (?P<>a)
(?P<n \p{greek} \p{Grek} \p{LC} \p{Cn} \p \p{ a{1001,} a{0,1001} x{2}* x*{2} x{2}?? x*?? (*) [z-\d]
[] [^] [\C] [\A] [\z] [\B] [\1] a.c\ (?i (?-)a (?P>n) (?'n'a) {2} a|{2} ({2}) \y \ä [\ä]
[ä-a]
"##;

/// Values of a header.
const TEXTS: &[&[u8]] = &[
    b"\xe9",
    b"\xc3\xa9",
    b"e",
    b"\xc9",
    b"\xc3",
    b"a\xc3\xa9b",
    b"\xa9",
    b"\xc3\xa9\xc3\xa9",
    b"\xe3\xa9",
    b"\xc3\x89",
    b"\xb5",
    b"\xff",
    b"K",
    b"k",
    b"\xe2\x84\xaa",
    b"\xdf",
    b"_",
    b"5",
    b"\xa0",
    b"\x85",
    b"a.b",
    b"axb",
    b"a{,2}",
    b"aa",
    b"a{x}",
    b"{",
    b"\xc3\xa9\xa9",
    b"E",
    b"a{",
    b"b{start}",
    b"<a",
    b"\xd7",
    b"\xf7",
    b"aQ",
    b"A",
];

/// Expressions, and the indexes of the texts that matched as a whole.
const MATCHES: &[(&str, &[usize])] = &[
    ("é", &[1]),
    (
        ".",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    ("..", &[1, 8, 9, 23, 28, 30, 33]),
    ("(?i)é", &[1]),
    ("[à-ü]", &[4, 6, 10, 18]),
    ("[à-ü]+", &[1, 4, 6, 7, 10, 18, 26]),
    (
        "[^a]",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    ("[^a][^a]", &[1, 8, 9]),
    (r"\w", &[2, 12, 13, 16, 17, 27, 34]),
    (r"\W", &[0, 3, 4, 6, 10, 11, 15, 18, 19, 25, 31, 32]),
    (r"\W\W", &[1, 8, 9]),
    (r"\pL", &[0, 2, 3, 4, 10, 11, 12, 13, 15, 27, 34]),
    (r"\p{Lu}", &[3, 4, 12, 27, 34]),
    (r"\p{Latin}", &[0, 2, 3, 4, 11, 12, 13, 15, 27, 34]),
    (r"\p{Greek}", &[]),
    (r"(?i)\p{Lu}", &[2, 3, 4, 12, 13, 27, 34]),
    (r"\PL", &[6, 16, 17, 18, 19, 25, 31, 32]),
    ("é+", &[1, 26]),
    ("[é]", &[4, 6]),
    ("(?i)[é]+", &[1, 4, 6, 7, 26]),
    ("(?i)k", &[12, 13]),
    (r"(?i)\xb5", &[10]),
    (r"(?i)\xff", &[11]),
    ("(?i)ß", &[]),
    (r"\s", &[]),
    (
        r"\S",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    ("[[:alpha:]]", &[2, 12, 13, 27, 34]),
    (
        "[[:^alpha:]]",
        &[0, 3, 4, 6, 10, 11, 15, 16, 17, 18, 19, 25, 31, 32],
    ),
    ("[[:punct:]]", &[16, 25]),
    ("[[:space:]]", &[]),
    (r"\Qa.b\E", &[20]),
    ("a{,2}", &[22]),
    ("a{x}", &[24]),
    ("{", &[25]),
    (
        r"\C",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    (r"\C\C", &[1, 8, 9, 23, 28, 30, 33]),
    (r"a\C\Cb", &[5]),
    ("a{", &[28]),
    (r"\<a", &[30]),
    (r"\b{start}", &[]),
    (r"b\b{start}", &[29]),
    (r"\x{e9}", &[0]),
    (r"\351", &[0]),
    (r"(?i)\x{e9}", &[0]),
    ("(?i)×", &[]),
    (r"[^\x00-\xff]", &[]),
    (r"[\d-z_]", &[16, 17]),
    ("(?i:A)", &[34]),
    (r"\p{Nd}", &[17]),
    (r"\pN", &[17]),
    (r"\p{Zs}", &[18]),
    (
        "(?i)[^a]",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32,
        ],
    ),
    (
        "(?i)[^é]+",
        &[
            0, 2, 3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29,
            30, 31, 32, 33, 34,
        ],
    ),
    (r"\pS", &[6, 31, 32]),
    (
        r"\p{Any}",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    (
        r"[\w\W]",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    (
        r"(?i)\P{Lu}",
        &[0, 6, 10, 11, 15, 16, 17, 18, 19, 25, 31, 32],
    ),
    (r"[\PL]", &[6, 16, 17, 18, 19, 25, 31, 32]),
    (r"(?i)[\PL]", &[6, 16, 17, 18, 19, 25, 31, 32]),
    (r"a\Q", &[]),
    (r"\p{^L}", &[6, 16, 17, 18, 19, 25, 31, 32]),
    ("(?U)a+", &[23]),
    ("(?P<1>a)(?<n>.)", &[23, 28, 33]),
    ("(?i)A", &[34]),
    (
        "(?s).",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    (
        "(?-s).",
        &[
            0, 2, 3, 4, 6, 10, 11, 12, 13, 15, 16, 17, 18, 19, 25, 27, 31, 32, 34,
        ],
    ),
    ("[a&&b]", &[]),
    (r"\_", &[16]),
    (r"\pC", &[19]),
    (r"\pP", &[16, 25]),
    (r"\pM", &[]),
    (r"\p{Common}", &[6, 10, 16, 17, 18, 19, 25, 31, 32]),
];

fn compiled(pattern: &str) -> Result<Regex, String> {
    let translated = translate(pattern)?;
    Regex::new(&format!(r"\A(?:{translated})\z")).map_err(|error| error.to_string())
}

#[test]
fn envoy_accepts_the_same_patterns() {
    let refused = |pattern: &&str| compiled(pattern).is_err();
    let accepted = ACCEPTED
        .split_ascii_whitespace()
        .chain([r"\ ", "a{ 1}", "a{1, 2}", "\x01"]);
    assert_eq!(accepted.filter(refused).collect::<Vec<_>>(), [""; 0]);
    let expected = REFUSED.split_ascii_whitespace().chain(["(?x) a b"]);
    let accepted = expected.filter(|pattern| !refused(pattern));
    assert_eq!(accepted.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn texts_match_byte_by_byte_as_in_envoy() {
    for (pattern, expected) in MATCHES {
        let regex = compiled(pattern).unwrap();
        let texts = TEXTS.iter().enumerate();
        let found = texts.filter(|(_, text)| regex.is_match(text));
        let found: Vec<_> = found.map(|(at, _)| at).collect();
        assert_eq!(found, *expected, "{pattern}");
    }
}
