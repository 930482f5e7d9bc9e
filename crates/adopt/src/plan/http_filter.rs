//! The HTTP filters of a connection manager, with the configurations that come from files of ECDS.

use serde_json::Value;

use super::{files::Files, place::Place};

/// An HTTP filter.
#[derive(Debug)]
pub(super) struct HttpFilter<'v> {
    /// Its item in `http_filters`.
    pub(super) place: Place<'v>,
    /// Its own `typed_config`, or that of ECDS; `None` if no file has it.
    pub(super) config: Option<Place<'v>>,
}

/// The filters in their order.
pub(super) fn http_filters<'v>(files: Files<'v>, manager: &Place<'v>) -> Vec<HttpFilter<'v>> {
    let places = manager.items("http_filters").into_iter();
    let filters = places.map(|place| HttpFilter {
        config: match place.field("config_discovery") {
            None => place.field("typed_config"),
            Some(_) => resource(files, &place),
        },
        place,
    });
    filters.collect()
}

/// The `typed_config` of a filter in the files of ECDS.
fn resource<'v>(files: Files<'v>, filter: &Place<'_>) -> Option<Place<'v>> {
    let name = filter.text("name");
    let resources = files.resources(None, "TypedExtensionConfig").into_iter();
    let mut named = resources.filter(|resource| resource.text("name") == name);
    named.next()?.field("typed_config")
}

impl<'v> HttpFilter<'v> {
    pub(super) fn name(&self) -> Option<&'v str> {
        self.place.text("name")
    }

    /// Whether its configuration comes from ECDS.
    pub(super) fn is_discovered(&self) -> bool {
        self.place.field("config_discovery").is_some()
    }

    /// The types that ECDS can give it, of a filter whose configuration is not in the files.
    fn unseen_types(&self) -> Vec<&'v str> {
        let discovery = self.place.field("config_discovery");
        let types = discovery.filter(|_| self.config.is_none());
        let types = types.map_or_else(Vec::new, |own| own.items("type_urls"));
        types.iter().filter_map(|url| url.value.as_str()).collect()
    }

    /// Whether it has this type, by a part of its URL, such as `.lua.`.
    pub(super) fn is(&self, part: &str) -> bool {
        let url = self.config.as_ref().and_then(|own| own.value.get("@type"));
        url.and_then(Value::as_str)
            .is_some_and(|url| url.contains(part))
    }

    /// Whether it comes by ECDS without a file, and can have one of these types.
    pub(super) fn can_be(&self, parts: &[&str]) -> bool {
        let has_part = |url: &&str| parts.iter().any(|part| url.contains(part));
        self.unseen_types().iter().any(has_part)
    }

    /// Whether it copies headers into metadata.
    pub(super) fn copies_headers(&self) -> bool {
        self.is(".header_to_metadata.")
    }

    /// Whether it runs only where a route turns it on.
    pub(super) fn is_off(&self) -> bool {
        self.place.field("disabled").map(|off| off.value) == Some(&Value::Bool(true))
    }
}

/// The settings of routes, virtual hosts and all routes for a filter of this name.
pub(super) fn per_route<'v>(routes: &Place<'v>, name: Option<&str>) -> Vec<Place<'v>> {
    let mut found = Vec::new();
    for (filter, settings) in all_per_route(routes) {
        if Some(filter) == name {
            found.push(settings);
        }
    }
    found
}

/// All such settings, with the names of their filters.
pub(super) fn all_per_route<'v>(routes: &Place<'v>) -> Vec<(&'v str, Place<'v>)> {
    let (mut found, mut open) = (Vec::new(), vec![routes.clone()]);
    while let Some(place) = open.pop() {
        for (key, inner) in place.children() {
            if matches!(key, "typed_per_filter_config" | "typedPerFilterConfig") {
                found.extend(inner.children());
            } else {
                open.push(inner);
            }
        }
    }
    found
}
