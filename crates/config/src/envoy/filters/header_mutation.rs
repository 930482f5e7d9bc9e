//! `envoy.filters.http.header_mutation`.

use alloc::vec::Vec;

use spillgate_core::route::HeaderMutation;

use crate::{
    envoy::{
        headers::{MutatedPlace, read_mutation_list},
        schema::{HEADER_MUTATION, HEADER_MUTATION_PER_ROUTE, MUTATIONS},
    },
    proto::{Any, Message, Report},
};

/// The type of `header_mutation`, after the prefix.
pub(crate) const HEADER_MUTATION_TYPE: &str = "header_mutation.v3.HeaderMutation";

/// The filter in a chain.
#[derive(Debug)]
pub(super) struct MutationFilter {
    /// The changes of all requests.
    own: Vec<HeaderMutation>,
    /// Whether the changes of a route come after those of its parents
    /// (`most_specific_header_mutations_wins`).
    specific_last: bool,
}

impl MutationFilter {
    /// All changes of a request, in order; `scopes` are those of its route and the parents, the most
    /// specific ones first.
    pub(super) fn with(&self, mut scopes: Vec<&Vec<HeaderMutation>>) -> Vec<HeaderMutation> {
        if self.specific_last {
            scopes.reverse();
        }
        let scopes = scopes.into_iter().flatten();
        self.own.iter().chain(scopes).cloned().collect()
    }
}

/// Reads the filter's config.
pub(super) fn read_mutation_filter(
    any: Any<'_, '_>,
    report: &mut Report,
) -> Option<MutationFilter> {
    let message = any.open(&HEADER_MUTATION, report)?;
    let specific_last = message.bool("most_specific_header_mutations_wins", report);
    Some(MutationFilter {
        own: mutations(&message, MutatedPlace::Listener, report),
        specific_last: specific_last.unwrap_or(false),
    })
}

/// Reads the changes of a route or one of its parents.
pub(super) fn read_mutations_of_route(
    any: Any<'_, '_>,
    report: &mut Report,
) -> Vec<HeaderMutation> {
    match any.open(&HEADER_MUTATION_PER_ROUTE, report) {
        Some(message) => mutations(&message, MutatedPlace::Route, report),
        None => Vec::new(),
    }
}

fn mutations(
    message: &Message<'_, '_>,
    place: MutatedPlace,
    report: &mut Report,
) -> Vec<HeaderMutation> {
    let Some(mutations) = message.message("mutations", &MUTATIONS, report) else {
        return Vec::new();
    };
    let field = "query_parameter_mutations";
    if mutations.list(field, report).next().is_some() {
        report.missing_feature(
            "config/filter-not-modeled",
            "HTTP filter header_mutation with query_parameter_mutations",
            "assuming that the query stays",
            &mutations.path.field(field),
            mutations.position_of(field),
        );
    }
    read_mutation_list(&mutations, "request_mutations", place, report)
}
