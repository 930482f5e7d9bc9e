//! The styles of the picture: those of the playground, without variables, which few viewers other than browsers
//! support.

use spillgate_scenario::PATTERNS;

use super::PictureColors;

/// The colors of the priorities, and the readable text colors on them.
const PRIORITIES: [(&str, &str); 7] = [
    ("#0072b2", "#ffffff"),
    ("#e69f00", "#111111"),
    ("#009e73", "#111111"),
    ("#d55e00", "#111111"),
    ("#cc79a7", "#111111"),
    ("#56b4e9", "#111111"),
    ("#f0e442", "#111111"),
];

/// Everything but colors.
const FORMS: &str = "text{font:16px Inter,ui-sans-serif,system-ui,\"Segoe UI\",Roboto,sans-serif}\
    .answer{font-size:20px;font-weight:620}.basin text,.spillover{text-anchor:middle}\
    .basin .name{font-size:17px;font-weight:640}.basin .caption,.basin .word{font-size:15px}\
    .basin .load{font-size:30px;font-weight:680}.load,.panic .word,.unserved .word{paint-order:stroke;\
    stroke-width:6px;stroke-linejoin:round}.panic .word,.unserved .word{font-weight:700}\
    .entry-load,.spillover,.member{font-weight:620}.member-load{font-weight:680;text-anchor:end}.member,.member-load{font-size:14px}\
    .texture{fill:#fff;opacity:.36}.p4 .texture,.p6 .texture{opacity:.5}.hatch-line{opacity:.34}\
    .pale{opacity:.45}.space{opacity:.04}.frame,.walls,.extension,.brim{fill:none}.over{fill:url(#sg-hatch)}.frame{stroke-width:1.5}\
    .extension{stroke-width:1.6;stroke-dasharray:4 4}.walls{stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
    .brim{stroke-width:1.5;stroke-dasharray:2 4;opacity:.55}.dry .walls{opacity:.6}";

/// Ground, text, quiet text, lines, walls, alarm.
const LIGHT: [&str; 6] = [
    "#fffefb", "#1c1f23", "#5f646b", "#e2dfd6", "#55595e", "#9a3a06",
];
const DARK: [&str; 6] = [
    "#1b1f23", "#eceae4", "#a0a7ae", "#2d343a", "#8b939b", "#ffab6e",
];

/// The style sheet.
pub(super) fn style(colors: PictureColors) -> String {
    let mut out = String::from(FORMS);
    out.push_str(&scheme(LIGHT));
    if colors == PictureColors::OfViewer {
        let dark = scheme(DARK);
        out.push_str(&format!("@media(prefers-color-scheme:dark){{{dark}}}"));
    }
    for (at, (fill, text)) in PRIORITIES.iter().enumerate() {
        out.push_str(&format!(
            ".p{at} .body{{fill:{fill}}}.p{at}:not(.panic):not(.unserved) .inside{{fill:{text};stroke:{fill}}}"
        ));
    }
    out
}

fn scheme([ground, text, quiet, line, wall, alarm]: [&str; 6]) -> String {
    format!(
        ".ground{{fill:{ground};stroke:{line}}}text,.space,.hatch-line{{fill:{text}}}\
         .caption,.word,.entry{{fill:{quiet}}}.load,.panic .word,.unserved .word{{stroke:{ground}}}\
         .panic .word,.unserved .word{{fill:{alarm}}}.frame{{stroke:{line}}}.walls,.extension{{stroke:{wall}}}\
         .brim{{stroke:{text}}}"
    )
}

/// The patterns, with ids that do not collide with those of a page around the picture.
pub(super) fn definitions() -> String {
    let start = PATTERNS.find("<defs>").unwrap_or_default();
    let end = PATTERNS.find("</defs>").unwrap_or_default();
    let inner = PATTERNS.get(start..end).unwrap_or_default();
    inner.replace("id=\"", "id=\"sg-") + "</defs>"
}
