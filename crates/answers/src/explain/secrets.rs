//! The steps of `explain` without metadata that can be a secret: terminals and logs keep what is printed.

use spillgate_config::secret_metadata::without_secrets;
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
            _ => {}
        }
    }
}

fn describe(metadata: &mut Metadata) {
    *metadata = without_secrets(metadata);
}
