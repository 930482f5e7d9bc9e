//! Names, among them those that YAML or JSON could read as other values.

use super::{Dice, Extent};

const NAMES: [&str; 8] = [
    "shop",
    "shop-primary",
    "api_v2",
    "prod",
    "eu-west-1",
    "zone.a",
    "b",
    "cart/items",
];

const HARD: [&str; 30] = [
    "no",
    "Yes",
    "on",
    "y",
    "true",
    "null",
    "~",
    "017",
    "0x1F",
    "0o17",
    "1",
    "-3",
    "1.5",
    "1e3",
    ".inf",
    "NaN",
    "5s",
    "a: b",
    "a #b",
    "- a",
    "<<",
    "{a}",
    "[a, b]",
    "&a",
    "*a",
    "!b",
    " a ",
    "\"quoted\" 'and' \\",
    "tab\tline\nend",
    "é 日本 \u{85}\u{2028}\u{1f600}",
];

impl Dice {
    /// A name that is not empty.
    pub fn text(&mut self, extent: Extent) -> String {
        if extent.any_text && self.chance(40) {
            return self.one(&HARD).into();
        }
        self.one(&NAMES).into()
    }

    /// A name that may be a header's, lower case.
    pub fn header(&mut self) -> String {
        self.one(&["x-user", "x-stage", "x-version", "cookie-like", "x_1"])
            .into()
    }
}
