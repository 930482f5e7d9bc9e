//! Links of the manual in a terminal, and the addresses of its pages.

/// The address of the documentation site, if the build knows it.
const MANUAL: Option<&str> = option_env!("SPILLGATE_MANUAL");

/// Where the texts link to the manual.
const DOCS: &str = "../../../docs/";
/// Where the texts link to a rule.
const RULES: &str = "rules.md#";

/// The address of the page of a code or a rule, if the build knows the site.
pub(super) fn page(code: &str) -> Option<String> {
    Some(code_page(MANUAL?, code))
}

fn code_page(manual: &str, code: &str) -> String {
    format!("{}/codes/{code}.html", manual.trim_end_matches('/'))
}

/// A text with its Markdown links as words. A link to a page has its address if `MANUAL` is set: the reader may have no
/// copy of the repository.
pub(super) fn in_words(text: &str) -> String {
    words(text, MANUAL)
}

fn words(text: &str, manual: Option<&str>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(link) = first_link(rest) {
        out.push_str(link.before);
        out.push_str(link.label);
        if let Some(address) = address(link.target, manual) {
            out.push_str(&format!(" ({address})"));
        }
        rest = link.after;
    }
    out + rest
}

struct TextLink<'t> {
    before: &'t str,
    label: &'t str,
    target: &'t str,
    after: &'t str,
}

fn first_link(text: &str) -> Option<TextLink<'_>> {
    let (head, tail) = text.split_once("](")?;
    let (before, label) = head.rsplit_once('[')?;
    let (target, after) = tail.split_once(')')?;
    Some(TextLink {
        before,
        label,
        target,
        after,
    })
}

/// The address of a target: of a page in the site, or of another site.
fn address(target: &str, manual: Option<&str>) -> Option<String> {
    if target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let manual = manual?;
    if let Some(rule) = target.strip_prefix(RULES).or(target.strip_prefix('#')) {
        return Some(code_page(manual, rule));
    }
    let target = target.strip_prefix(DOCS)?;
    let (page, anchor) = match target.split_once('#') {
        Some((page, anchor)) => (page, format!("#{anchor}")),
        None => (target, String::new()),
    };
    let page = page.strip_suffix(".md")?;
    let site = manual.trim_end_matches('/');
    Some(format!("{site}/{page}.html{anchor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_its_label_and_its_address_if_the_site_is_known() {
        let text = format!(
            "the [poller]({DOCS}operations.md#health), or [`a`]({DOCS}lint.md); [x][0], `[1](`"
        );
        let text = text.as_str();
        assert_eq!(words(text, None), "the poller, or `a`; [x][0], `[1](`");
        assert_eq!(
            words(text, Some("https://docs.example/")),
            "the poller (https://docs.example/operations.html#health), or `a` \
             (https://docs.example/lint.html); [x][0], `[1](`"
        );
        assert_eq!(
            words("[`b`](#b), [`c`](rules.md#c)", Some("https://docs.example")),
            "`b` (https://docs.example/codes/b.html), `c` (https://docs.example/codes/c.html)"
        );
        assert_eq!(
            words("[here](codes.md)", Some("https://docs.example")),
            "here"
        );
        assert_eq!(
            code_page("https://docs.example/", "config/eds"),
            "https://docs.example/codes/config/eds.html"
        );
        assert_eq!(
            words("[RFC](https://x.example)", None),
            "RFC (https://x.example)"
        );
    }
}
