//! The Unicode properties of Latin-1 characters, by the names that RE2 knows.

use super::byte_set::ByteSet;

/// The general categories with their characters, as pairs.
const CATEGORIES: [(&str, &[u8]); 19] = [
    ("Cc", b"\x00\x1f\x7f\x9f"),
    ("Cf", b"\xad\xad"),
    ("Ll", b"az\xb5\xb5\xdf\xf6\xf8\xff"),
    ("Lo", b"\xaa\xaa\xba\xba"),
    ("Lu", b"AZ\xc0\xd6\xd8\xde"),
    ("Nd", b"09"),
    ("No", b"\xb2\xb3\xb9\xb9\xbc\xbe"),
    ("Pc", b"__"),
    ("Pd", b"--"),
    ("Pe", b"))]]}}"),
    ("Pf", b"\xbb\xbb"),
    ("Pi", b"\xab\xab"),
    ("Po", b"!#%'**,,./:;?@\\\\\xa1\xa1\xa7\xa7\xb6\xb7\xbf\xbf"),
    ("Ps", b"(([[{{"),
    ("Sc", b"$$\xa2\xa5"),
    ("Sk", b"^^``\xa8\xa8\xaf\xaf\xb4\xb4\xb8\xb8"),
    ("Sm", b"++<>||~~\xac\xac\xb1\xb1\xd7\xd7\xf7\xf7"),
    ("So", b"\xa6\xa6\xa9\xa9\xae\xae\xb0\xb0"),
    ("Zs", b"  \xa0\xa0"),
];

/// The categories without Latin-1 characters.
const EMPTY_CATEGORIES: &str = "Co Cs Lm Lt M Mc Me Mn Nl Zl Zp";

/// The letters of the script Latin, as pairs; all other characters are Common.
const LATIN: &[u8] = b"AZaz\xaa\xaa\xba\xba\xc0\xd6\xd8\xf6\xf8\xff";

/// The scripts without Latin-1 characters.
const EMPTY_SCRIPTS: &str = "\
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali \
    Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian \
    Chakma Cham Cherokee Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret \
    Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian \
    Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya \
    Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi \
    Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi \
    Khitan_Small_Script Khmer Khojki Khudawadi Lao Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian \
    Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek \
    Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar \
    Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham \
    Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian \
    Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau \
    Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham \
    SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa \
    Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta \
    Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/// The characters with a property; `None` for an unknown name. RE2 does not ignore case.
pub(super) fn property(name: &str) -> Option<ByteSet> {
    let is_in = |names: &str| names.split_ascii_whitespace().any(|one| one == name);
    match name {
        "Any" => Some(ByteSet::of(b"\x00\xff")),
        "Latin" => Some(ByteSet::of(LATIN)),
        "Common" => Some(ByteSet::of(LATIN).negated()),
        _ if is_in(EMPTY_CATEGORIES) || is_in(EMPTY_SCRIPTS) => Some(ByteSet::default()),
        _ => category(name),
    }
}

/// The characters of a category, or of all categories that begin with a letter.
fn category(name: &str) -> Option<ByteSet> {
    let has = |category: &str| category == name || category.get(..1) == Some(name);
    let found = CATEGORIES.iter().filter(|(category, _)| has(category));
    found.fold(None, |all, (_, pairs)| {
        let mut set = all.unwrap_or_default();
        set.join(&ByteSet::of(pairs));
        Some(set)
    })
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use regex::Regex;

    use super::{CATEGORIES, EMPTY_CATEGORIES, EMPTY_SCRIPTS, property};

    #[test]
    fn every_property_has_the_characters_of_unicode() {
        let known = CATEGORIES.iter().map(|(name, _)| *name);
        let letters = ["C", "L", "N", "P", "S", "Z"];
        let empty = EMPTY_CATEGORIES.split_ascii_whitespace();
        let categories = known.chain(letters).chain(empty);
        let categories = categories.map(|name| (name, format!(r"^\p{{{name}}}$")));
        let scripts = EMPTY_SCRIPTS.split_ascii_whitespace();
        let scripts = scripts.chain(["Latin", "Common"]);
        let scripts = scripts.map(|name| (name, format!(r"^\p{{Script={name}}}$")));
        for (name, expression) in categories.chain(scripts) {
            if name == "Cs" {
                // Surrogates are no characters for the crate.
                continue;
            }
            let unicode = Regex::new(&expression).unwrap();
            let set = property(name).unwrap();
            for byte in 0..=u8::MAX {
                let text = String::from(char::from(byte));
                assert_eq!(set.has(byte), unicode.is_match(&text), "{name} {byte:#x}");
            }
        }
        assert!(property("Any").is_some_and(|set| set.has(0) && set.has(0xff)));
        for unknown in ["", "X", "Grek", "greek", "LC", "Cn", "Letter"] {
            assert_eq!(property(unknown), None, "{unknown}");
        }
    }
}
