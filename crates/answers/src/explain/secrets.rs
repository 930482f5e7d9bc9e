//! The steps of `explain` without metadata and headers that can be a secret: terminals and logs keep what is printed.

use spillgate_config::secret_metadata::{shown_text, without_secrets};
use spillgate_core::{
    model::Metadata,
    trace::{Step, StepData},
};

/// Describes the values that can be secrets.
pub(super) fn hide(steps: &mut [Step]) {
    for step in steps {
        match &mut step.data {
            StepData::Criteria(criteria) => describe(criteria),
            StepData::Subset { criteria, kept, .. } | StepData::NoSubset { criteria, kept } => {
                describe(criteria);
                if let Some(kept) = kept {
                    describe(kept);
                }
            }
            StepData::HeaderChanged {
                name,
                before,
                after,
                ..
            } => {
                for value in [before, after].into_iter().flatten() {
                    *value = shown_text(name, value);
                }
            }
            _ => {}
        }
    }
}

fn describe(metadata: &mut Metadata) {
    *metadata = without_secrets(metadata);
}

#[cfg(test)]
mod tests {
    use spillgate_core::trace::RequestChanger;

    use super::*;
    use crate::explain::routing::step;

    fn shown(name: &str, value: &str) -> Option<String> {
        let mut steps = [step(StepData::HeaderChanged {
            name: name.into(),
            before: None,
            after: Some(value.into()),
            by: RequestChanger::Route,
        })];
        hide(&mut steps);
        let [step] = steps;
        match step.data {
            StepData::HeaderChanged { after, .. } => after,
            _ => None,
        }
    }

    #[test]
    fn secret_headers_are_described() {
        let key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        assert_eq!(shown("x-user", "anna").as_deref(), Some("anna"));
        for (name, value) in [("x-api-key", "swordfish"), ("x-user", key)] {
            let shown = shown(name, value).unwrap();
            assert!(!shown.contains(value), "{shown}");
            assert!(shown.starts_with("a string of "), "{shown}");
        }
    }
}
