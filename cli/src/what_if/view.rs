//! Expectations on zone-to-zone traffic from one point of view.

use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_sim::TrafficExpectation;

use super::WhatIfArgs;
use crate::spec::faults;

/// The arguments with `zone(a)->zone(b) <= 20` as `share(zone=b) <= 20`, which is the same for
/// proxies in zone a.
pub(super) fn with_shares(args: &WhatIfArgs) -> Result<WhatIfArgs, Faults> {
    let mut own = args.clone();
    let mut wrong = Faults::default();
    for text in &mut own.expect {
        let Some(read) = TrafficExpectation::parse(text) else {
            continue;
        };
        match (read, &args.mesh.zone) {
            (Ok(read), Some(zone)) if same_zone(&read.from, zone) => *text = read.share_of_hosts(),
            (Ok(_), _) => {
                let fault = Diagnostic::error(
                    "what-if/other-zone",
                    "the answer is for proxies in one zone",
                )
                .expected("--as with the zone of the proxies, or no point of view");
                wrong.push(&format!("--expect {text:?}"), &fault);
            }
            (Err(found), _) => wrong.extend(faults("--expect", text, &found)),
        }
    }
    if wrong.is_empty() {
        Ok(own)
    } else {
        Err(wrong)
    }
}

/// Whether a zone is that of `--as`, which may have a region.
fn same_zone(from: &str, view: &str) -> bool {
    let name = |zone: &str| zone.rsplit('/').next().map(str::to_owned);
    from == view || name(from) == name(view)
}
