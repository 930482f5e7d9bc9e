//! The text of the answer to `--failed`.

use spillgate_answers::explain::SuccessStory;
use spillgate_config::Position;
use spillgate_core::{route::RetryCap, visible::visible};

/// The answer as text; `place` names a position.
pub(super) fn text(story: &SuccessStory, place: &dyn Fn(Position) -> String) -> String {
    const SHOWN: usize = 5;
    let hosts: Vec<&str> = story
        .failed
        .iter()
        .map(String::as_str)
        .take(SHOWN)
        .collect();
    let more = match story.failed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if story.failed.len() == 1 {
        "refuses"
    } else {
        "refuse"
    };
    let mut text = format!(
        "Success while {}{more} {verb} connections:\n",
        hosts.join(", ")
    );
    for (number, attempt) in story.success.attempts.iter().enumerate() {
        text.push_str(&format!(
            "{:>8.2} %  attempt {number}",
            attempt.succeeds * 100.0
        ));
        if number > 0 {
            text.push_str(&format!(", which {:.2} % make", attempt.made * 100.0));
        }
        text.push('\n');
    }
    let total = story.success.total();
    let retries = match story.success.retries {
        0 => "without retries".to_owned(),
        1 => "after 1 retry".to_owned(),
        more => format!("after up to {more} retries"),
    };
    text.push_str(&format!(
        "{:>8.2} %  in total; {:.2} % fail {retries}\n",
        total * 100.0,
        // Rounding can make it negative.
        ((1.0 - total) * 100.0).max(0.0)
    ));
    if let Some(caveat) = story.success.caveat() {
        text.push_str(&format!("can differ: {}\n", visible(&caveat)));
    }
    if story.success.retries > 0 && !story.success.of_connection {
        text.push_str(&format!(
            "{:>8.2} %  at worst: requests above the limit are not retried\n",
            story.success.at_worst() * 100.0
        ));
        for (cluster, limit) in &story.limits {
            let place = match limit.position {
                Some(at) => place(at),
                None => "default".into(),
            };
            let cap = match limit.cap {
                RetryCap::Most(most) => format!("max_retries {most}"),
                RetryCap::Budget { percent, least } => {
                    format!("retry_budget {percent} % of the active requests, at least {least}")
                }
            };
            text.push_str(&format!(
                "            {cluster}: {cap} at the same time  {place}\n"
            ));
        }
    }
    text
}
