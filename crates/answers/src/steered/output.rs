//! How the choices of an evaluated filter reach Envoy.

use spillgate_config::filter::{FilterForm, Output};
use spillgate_core::route::{CHOSEN_CLUSTER, CHOSEN_HOST, CHOSEN_HOSTS};
use spillgate_steer::port::{Steered, SteeringChoice};

use super::headers::OwnedHeaders;

/// The headers of a form of the filter.
#[derive(Debug, Clone)]
pub(super) struct EvaluatedOutput {
    form: FilterForm,
    /// The header with the hosts, as configured.
    configured: String,
    /// The header, or the pseudo-header of the dynamic module, with the hosts.
    hosts: String,
}

impl EvaluatedOutput {
    pub(super) fn new(form: FilterForm, output: &Output) -> Self {
        let hosts = match (form, output.candidates) {
            (FilterForm::Wasm, _) => output.host_header.as_str(),
            (FilterForm::DynamicModule, 1) => CHOSEN_HOST,
            (FilterForm::DynamicModule, _) => CHOSEN_HOSTS,
        };
        Self {
            form,
            configured: output.host_header.clone(),
            hosts: hosts.to_owned(),
        }
    }

    /// Whether the header with the cluster names the next one too.
    pub(super) const fn names_both(&self) -> bool {
        matches!(self.form, FilterForm::Wasm)
    }

    /// The header with the hosts of a request that the filter forwards.
    pub(super) fn hosts(&self) -> &str {
        &self.hosts
    }

    /// Adds a choice to a request. The dynamic module names the next cluster to its specifier only, which
    /// answers with it for later attempts: those after the first `left_after` ones.
    pub(super) fn deliver(
        &self,
        choice: &SteeringChoice<'_>,
        left_after: Option<usize>,
        request: &mut OwnedHeaders,
    ) -> Steered {
        let (decision, skipped) = match (self.form, choice.next, left_after) {
            (FilterForm::Wasm, ..) => {
                return choice.write(|name, value| self.write(request, name, value));
            }
            (FilterForm::DynamicModule, Some(next), Some(attempts)) => (next, attempts),
            (FilterForm::DynamicModule, ..) => (choice.decision, 0),
        };
        let choice = SteeringChoice {
            decision,
            next: None,
            ..*choice
        };
        choice.write(|name, value| {
            // Earlier attempts have used hosts of the first cluster, which the list of an attempt in another
            // one does not have: in their place, the first host counts.
            let first = value.split(',').next().unwrap_or_default();
            if name == self.configured && skipped > 0 {
                let list = format!("{}{value}", format!("{first},").repeat(skipped));
                self.write(request, name, &list)
            } else {
                self.write(request, name, value)
            }
        })
    }

    /// Adds a header of a choice to a request. `name` is the configured one.
    fn write(&self, request: &mut OwnedHeaders, name: &str, value: &str) -> bool {
        if name == self.configured {
            return request.set(&self.hosts, value);
        }
        self.pass_to(request, name, value)
    }

    /// Names a cluster in a request. `header` is the configured one.
    pub(super) fn pass_to(&self, request: &mut OwnedHeaders, header: &str, cluster: &str) -> bool {
        // The dynamic module sets the header too, for routes without its cluster specifier.
        let specified = self.form == FilterForm::Wasm || request.set(CHOSEN_CLUSTER, cluster);
        specified && request.set(header, cluster)
    }
}
