//! Links in a comment that open the comparison in the playground.
//!
//! A comment of a code host has about 65,000 characters, so long links are left out with the reason. If the link of the
//! comparison is too long, those of both scenarios can still fit.

use spillgate_answers::input::Faults;
use spillgate_codec::link::Disclosure;

use super::{answer::DiffAnswer, args::DiffArgs};
use crate::{
    command::Done,
    link::{comparison_link, encoded},
    page_url::page_of,
    sides::Side,
};

/// The longest link in a comment.
const MOST_BYTES: usize = 16 * 1024;

/// The line with the links; empty without `--page`.
///
/// # Errors
/// An invalid URL.
pub(super) fn page_links(answer: &DiffAnswer<'_>, args: &DiffArgs) -> Result<String, Faults> {
    let Some(page) = &args.page else {
        return Ok(String::new());
    };
    let page = page_of(page)?;
    let disclosure = args.disclosed.disclosure();
    let link = |title: &str, fragment: &str| {
        // Parentheses and spaces would end the link.
        let url = format!("{page}#{fragment}")
            .replace('(', "%28")
            .replace(')', "%29");
        format!("[{title}]({url})")
    };
    let fits = |fragment: &String| fragment.len() <= MOST_BYTES;
    let worst = answer.report.clusters.first().map(|of| of.name.as_str());
    let compared = comparison_link(answer.old, answer.new, worst, disclosure);
    if let Some(found) = compared.ok().map(|link| link.fragment).filter(fits) {
        return Ok(format!("\n{}\n", link("Compare in the playground", &found)));
    }
    let of = |title: &str, side: &Side| {
        let found = side_link(side, disclosure).filter(fits);
        found.map(|fragment| link(title, &fragment))
    };
    let sides = [of("old side", answer.old), of("new side", answer.new)];
    let found: Vec<String> = sides.into_iter().flatten().collect();
    Ok(if found.is_empty() {
        String::from("\nThe sides do not fit into a link: import the files in the playground.\n")
    } else {
        format!("\nIn the playground: {}\n", found.join(", "))
    })
}

/// The link of one side; `None` if the playground cannot show it.
fn side_link(side: &Side, disclosure: Disclosure) -> Option<String> {
    let link = encoded(&side.config, None, disclosure, &mut Done::default());
    link.ok().map(|link| link.fragment)
}
