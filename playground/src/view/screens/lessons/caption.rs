//! The result of a lesson in one sentence.

use spillgate_scenario::{Headline, PriorityAt, link::address, percent};

use super::{LessonFigure, LessonHost, LessonResult};

/// The maximum number of hosts in a lesson that shows them one by one.
const LISTED: usize = 16;

impl LessonHost {
    /// `host1` for the host with the first generated address.
    #[must_use]
    pub fn name(&self) -> String {
        let PriorityAt { cluster, priority } = self.at.priority;
        let at = PriorityAt { cluster, priority };
        let number = (0..LISTED).find(|number| address(at, *number) == self.address);
        number.map_or_else(
            || self.address.clone(),
            |number| format!("host{}", number + 1),
        )
    }
}

impl LessonResult {
    /// The sentence below a picture.
    #[must_use]
    pub fn caption(&self, figure: LessonFigure) -> String {
        match figure {
            LessonFigure::Spillway => {
                let [healthy, degraded, _] = self.by_health();
                let of_health = if degraded > 0.0 {
                    format!(
                        "Healthy hosts get {}, degraded hosts {}. ",
                        percent(healthy),
                        percent(degraded)
                    )
                } else {
                    String::new()
                };
                let headline = Headline::of(&self.outcome);
                format!("{} {of_health}{}", headline.sentence(), headline.reason)
            }
            LessonFigure::Zones => {
                let zones = self.zones();
                let parts = zones.map(|(name, share)| format!("{name} gets {}", percent(share)));
                sentence(&parts.collect::<Vec<_>>())
            }
            LessonFigure::Hosts => {
                let hosts = self.hosts.iter().filter(|host| host.share > 0.0);
                let mut parts: Vec<String> = hosts
                    .map(|host| format!("{} gets {}", host.name(), percent(host.share)))
                    .collect();
                if self.no_host > 0.0 {
                    parts.push(format!(
                        "{} of the requests get a 503",
                        percent(self.no_host)
                    ));
                }
                sentence(&parts)
            }
        }
    }
}

fn sentence(parts: &[String]) -> String {
    let mut text = parts.join(", ");
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    text.push('.');
    text
}
