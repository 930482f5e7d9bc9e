//! The short forms of names.

use spillgate_core::order::sorted;

use super::{shorten, text_width};

/// The short forms of some names that are shown together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortNames {
    /// Names with a short form, the longest first.
    pairs: Vec<(String, String)>,
}

impl ShortNames {
    /// The short forms of `names` for texts that are `room` wide, relative to the font size. If all
    /// names fit, none has one.
    #[must_use]
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>, room: f64) -> Self {
        Self::of_list(names.into_iter().collect(), room)
    }

    #[inline(never)]
    fn of_list(names: Vec<&str>, room: f64) -> Self {
        if names.iter().all(|name| text_width(name) <= room) {
            return Self::default();
        }
        let by_length = |a: &&str, b: &&str| (b.len(), *b).cmp(&(a.len(), *a));
        let mut names = sorted(names, by_length);
        names.dedup();
        let forms = shorten(&names, room);
        let pairs = names.into_iter().map(str::to_owned).zip(forms);
        Self {
            pairs: pairs.filter(|(name, form)| name != form).collect(),
        }
    }

    /// With the short forms of names of another kind.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.pairs.extend(other.pairs);
        self
    }

    /// The short form of a name, or the name itself if it has none.
    #[must_use]
    pub fn get<'a>(&'a self, name: &'a str) -> &'a str {
        let pair = self.pairs.iter().find(|(long, _)| long == name);
        pair.map_or(name, |(_, short)| short)
    }

    /// A sentence with short forms instead of the names.
    #[must_use]
    #[inline(never)]
    pub fn in_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, short) in &self.pairs {
            let mut shorter = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once(name.as_str()) {
                shorter.push_str(before);
                shorter.push_str(short);
                rest = after;
            }
            if !shorter.is_empty() {
                shorter.push_str(rest);
                text = shorter;
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The short forms, in the order of the names.
    fn forms(names: &[&str], room: f64) -> Vec<String> {
        let short = ShortNames::of(names.iter().copied(), room);
        names
            .iter()
            .map(|name| short.get(name).to_owned())
            .collect()
    }

    #[test]
    fn names_that_fit_stay() {
        assert_eq!(
            forms(&["shop-primary", "shop-secondary"], 12.0),
            ["shop-primary", "shop-secondary"]
        );
    }

    #[test]
    fn siblings_lose_their_common_parts() {
        let names = [
            "outbound|80||reviews.default.svc.cluster.local",
            "outbound|80||ratings.default.svc.cluster.local",
        ];
        assert_eq!(
            forms(&names, 12.0),
            ["\u{2026}reviews\u{2026}", "\u{2026}ratings\u{2026}"]
        );
        let subsets = [
            "outbound|9080|v1|reviews.bookinfo.svc.cluster.local",
            "outbound|9080|v2|reviews.bookinfo.svc.cluster.local",
        ];
        assert_eq!(
            forms(&subsets, 12.0),
            ["\u{2026}v1\u{2026}", "\u{2026}v2\u{2026}"]
        );
        let routes = [
            "httproute/default/backend/rule/0/backend/0",
            "httproute/default/backend/rule/0/backend/10",
        ];
        assert_eq!(forms(&routes, 12.0), ["\u{2026}0", "\u{2026}10"]);
    }

    #[test]
    fn a_single_name_keeps_its_service() {
        let name = "outbound|80||reviews.default.svc.cluster.local";
        assert_eq!(forms(&[name], 16.0), ["\u{2026}reviews.default\u{2026}"]);
        let plain = "payments-production-primary-europe-west-1";
        let [short] = &forms(&[plain], 9.0)[..] else {
            panic!()
        };
        assert!(short.starts_with("pay") && short.ends_with("-1"), "{short}");
    }

    #[test]
    fn long_names_that_differ_anywhere_stay_different() {
        let long = "x".repeat(300);
        let at = |at: usize| {
            let (start, end) = long.split_at(at);
            format!("{start}y{end}")
        };
        let names: Vec<String> = [0, 1, 75, 150, 151, 299, 300]
            .into_iter()
            .map(at)
            .chain([long.clone()])
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut forms = forms(&names, 8.0);
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), names.len(), "{forms:?}");
    }

    #[test]
    fn names_of_any_script_are_shortened_at_whole_characters() {
        let names = [
            "\u{8a55}\u{4fa1}".repeat(60),
            "\u{8a55}\u{4fa1}".repeat(59) + "\u{6599}\u{91d1}",
        ];
        let short = forms(&[&names[0], &names[1]], 9.0);
        assert!(short[0] != short[1]);
        assert!(
            short.iter().all(|form| text_width(form) <= 9.0),
            "{short:?}"
        );
    }

    #[test]
    fn a_sentence_has_the_short_names() {
        let names = [
            "outbound|80||a.default.svc.cluster.local",
            "outbound|80||b.default.svc.cluster.local",
        ];
        let short = ShortNames::of(names, 10.0);
        let text = format!("{} takes 70 %, {} takes 30 %.", names[0], names[1]);
        assert_eq!(
            short.in_text(&text),
            "\u{2026}a\u{2026} takes 70 %, \u{2026}b\u{2026} takes 30 %."
        );
        assert_eq!(ShortNames::default().in_text(&text), text);
    }

    proptest::proptest! {
        #[test]
        fn different_names_have_different_forms_that_fit(
            names in proptest::collection::btree_set("(outbound\\|80\\||inbound-)?[a-c]{0,3}[.|/é評-]{0,2}[a-b]{0,40}(\\.svc\\.cluster\\.local)?", 1..12),
            room in 6.0..30.0_f64,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let forms = forms(&names, room);
            let mut sorted = forms.clone();
            sorted.sort();
            sorted.dedup();
            proptest::prop_assert_eq!(sorted.len(), names.len(), "{:?} {:?}", names, forms);
            for form in forms.iter().filter(|form| !form.contains(" #")) {
                proptest::prop_assert!(text_width(form) <= room, "{} {}", form, room);
            }
        }
    }
}
