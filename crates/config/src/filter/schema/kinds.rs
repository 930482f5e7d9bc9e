//! The schema of each kind of value.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use super::Described;
use crate::write::{Fields, Tree, duration, within};

/// A token in HTTP: names of headers and cookies.
const TOKEN: &str = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/// The schema of one field; its description comes last.
pub(super) struct Kind {
    schema: Fields,
    about: String,
}

impl Kind {
    fn new(schema: Fields, about: &str) -> Self {
        let about = about.to_owned();
        Self { schema, about }
    }

    /// With the default of an absent field.
    pub(super) fn default(mut self, value: impl Into<Tree>) -> Self {
        self.schema = self.schema.with("default", value);
        self
    }
}

/// A non-empty string.
pub(super) fn text(about: &str) -> Kind {
    Kind::new(string().with("minLength", 1_u32), about)
}

/// A string of at least `least` characters.
pub(super) fn long_text(least: u32, about: &str) -> Kind {
    Kind::new(string().with("minLength", least), about)
}

/// The name of an environment variable.
pub(super) fn variable_name(about: &str) -> Kind {
    Kind::new(string().with("pattern", "^[^=\\u0000]+$"), about)
}

/// One of the names in a table of the reader; the first is the default.
pub(super) fn named<T>(table: &[(&'static str, i64, T)], about: &str) -> Kind {
    let kind = choice(table, about);
    match table.first() {
        Some((first, _, _)) => kind.default(*first),
        None => kind,
    }
}

/// One of the names in a table of the reader; the default depends on other fields.
pub(super) fn choice<T>(table: &[(&'static str, i64, T)], about: &str) -> Kind {
    Kind::new(within("enum", list(names_of(table))), about)
}

/// The names in a table of the reader.
pub(super) fn names_of<T>(table: &[(&'static str, i64, T)]) -> impl Iterator<Item = &'static str> {
    table.iter().map(|(name, _, _)| *name)
}

/// A list of these names.
pub(super) fn any_of(names: impl Iterator<Item = &'static str>, about: &str) -> Kind {
    Kind::new(list_of(within("enum", list(names))), about)
}

/// A list of these names, at least one.
pub(super) fn some_of(names: impl Iterator<Item = &'static str>, about: &str) -> Kind {
    let mut kind = any_of(names, about);
    kind.schema = kind.schema.with("minItems", 1_u32);
    kind
}

/// This name, or a message of this type; the name is the default.
pub(super) fn either(name: &'static str, message: &str, about: &str) -> Kind {
    let forms = [within("const", name), reference(message)];
    let schema =
        within("type", list(["string", "object"])).with("oneOf", Vec::from(forms.map(Tree::from)));
    Kind::new(schema, about).default(name)
}

/// A Boolean; default false.
pub(super) fn flag(about: &str) -> Kind {
    Kind::new(of_type("boolean"), about).default(false)
}

/// A Boolean; default true.
pub(super) fn flag_on(about: &str) -> Kind {
    Kind::new(of_type("boolean"), about).default(true)
}

/// Only `true`.
pub(super) fn yes(about: &str) -> Kind {
    Kind::new(within("const", true), about)
}

/// An integer.
pub(super) fn whole(least: u32, most: u32, about: &str) -> Kind {
    let schema = of_type("integer").with("minimum", least);
    Kind::new(schema.with("maximum", most), about)
}

/// A number from 0 to 100, possibly with a fraction.
pub(super) fn percent(about: &str) -> Kind {
    let schema = of_type("number").with("minimum", 0_u32);
    Kind::new(schema.with("maximum", 100_u32), about)
}

/// A duration; the schema cannot express the minimum, so the description states it.
pub(super) fn time(least: Duration, about: &str) -> Kind {
    let least = match u64::try_from(least.as_millis()) {
        Ok(milliseconds @ 1..1000) => format!("{milliseconds}ms"),
        _ => duration(least),
    };
    let mut kind = span(about);
    kind.about = format!("{about} At least {least}.");
    kind
}

/// A duration of any length.
pub(super) fn span(about: &str) -> Kind {
    Kind::new(reference("duration"), about)
}

/// A duration of whole seconds.
pub(super) fn seconds(least: Duration, about: &str) -> Kind {
    let mut kind = if least.is_zero() {
        span(about)
    } else {
        time(least, about)
    };
    kind.schema = reference("seconds");
    kind
}

/// A cookie name that does not begin with `__Host-` or `__Secure-`, in any case.
pub(super) fn cookie_name(about: &str) -> Kind {
    let prefix = "__([Hh][Oo][Ss][Tt]|[Ss][Ee][Cc][Uu][Rr][Ee])-";
    let name = TOKEN.trim_start_matches('^');
    Kind::new(
        string().with("pattern", format!("^(?!{prefix}){name}")),
        about,
    )
}

/// A path for cookies.
pub(super) fn url_path(about: &str) -> Kind {
    Kind::new(string().with("pattern", "^/[ -:<-~]*$"), about)
}

/// 32 bytes in base64; the last character has two unused bits.
pub(super) fn secret(about: &str) -> Kind {
    let pattern = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$";
    Kind::new(string().with("pattern", pattern), about)
}

/// The name of a header.
pub(super) fn header(about: &str) -> Kind {
    Kind::new(reference("header_name"), about)
}

/// A header name for each key.
pub(super) fn headers_by_key(about: &str) -> Kind {
    let schema = of_type("object").with("additionalProperties", reference("header_name"));
    Kind::new(schema, about)
}

/// Any value but null, which means absent.
pub(super) fn value(about: &str) -> Kind {
    let types = list(["string", "number", "boolean", "array", "object"]);
    Kind::new(within("type", types), about)
}

/// Values by key, at least one.
pub(super) fn values(about: &str) -> Kind {
    Kind::new(of_type("object").with("minProperties", 1_u32), about)
}

/// A described message or a shared definition, by its name under `$defs`.
pub(super) fn one(name: &str, about: &str) -> Kind {
    Kind::new(reference(name), about)
}

/// A list of messages.
pub(super) fn many(name: &str, about: &str) -> Kind {
    Kind::new(list_of(reference(name)), about)
}

/// A non-empty list of messages.
pub(super) fn some(name: &str, about: &str) -> Kind {
    Kind::new(list_of(reference(name)).with("minItems", 1_u32), about)
}

/// A non-empty list of unique names.
pub(super) fn names(about: &str) -> Kind {
    let schema = list_of(string().with("minLength", 1_u32))
        .with("uniqueItems", true)
        .with("minItems", 1_u32);
    Kind::new(schema, about)
}

/// A non-empty list of keys.
pub(super) fn keys(about: &str) -> Kind {
    Kind::new(list_of(string()).with("minItems", 1_u32), about)
}

/// The schema of a message.
pub(super) fn message(described: Described) -> Fields {
    let mut properties = Fields::new();
    for (name, kind) in described.fields {
        properties = properties.with(name, kind.schema.with("description", kind.about));
    }
    let required = described.required.iter().copied();
    Fields::new()
        .with("title", described.schema.name)
        .with("description", described.about)
        .with("type", "object")
        .with("properties", properties)
        .with_list("required", required)
        .with("additionalProperties", false)
        .and(described.rules)
}

/// Definitions that are not Spillgate's messages.
pub(super) fn shared() -> Fields {
    let cluster = of_type("object")
        .with(
            "description",
            "An Envoy Cluster (envoy.config.cluster.v3.Cluster).",
        )
        .with("required", list(["name"]))
        .with(
            "properties",
            within("name", string().with("minLength", 1_u32)),
        );
    let envoys = |about: &str| of_type("object").with("description", about);
    Fields::new()
        .with("cluster", cluster)
        .with(
            "route_match",
            envoys("An Envoy RouteMatch (envoy.config.route.v3.RouteMatch)."),
        )
        .with(
            "route_hash_policy",
            envoys("An Envoy hash policy (envoy.config.route.v3.RouteAction.HashPolicy)."),
        )
        .with(
            "metadata",
            envoys("Envoy Metadata (envoy.config.core.v3.Metadata): filter_metadata.\"envoy.lb\" is read."),
        )
        .with(
            "header_name",
            string()
                .with("pattern", TOKEN)
                .with("description", "A header name, in any case."),
        )
        .with(
            "duration",
            string()
                .with("pattern", r"^([0-9]+(\.[0-9]{1,9})?s|[0-9]+ms)$")
                .with(
                    "description",
                    "Seconds with up to nine decimals (\"0.25s\"), or milliseconds (\"250ms\").",
                ),
        )
        .with(
            "seconds",
            string()
                .with("pattern", r"^([0-9]+(\.0{1,9})?s|([0-9]*000|0+)ms)$")
                .with("description", "Whole seconds (\"60s\")."),
        )
}

/// An object whose field has this value.
pub(super) fn one_value(field: &'static str, value: impl Into<Tree>) -> Fields {
    let properties = within(field, within("const", value));
    within("properties", properties).with("required", list([field]))
}

/// A condition, and the schema of properties if it holds.
pub(super) fn when(holds: Fields, properties: Fields) -> Fields {
    within("if", holds).with("then", within("properties", properties))
}

/// Names as values of the schema.
pub(super) fn list(names: impl IntoIterator<Item = &'static str>) -> Vec<Tree> {
    names.into_iter().map(Tree::from).collect()
}

fn of_type(name: &str) -> Fields {
    within("type", name)
}

fn string() -> Fields {
    of_type("string")
}

fn list_of(items: Fields) -> Fields {
    of_type("array").with("items", items)
}

fn reference(name: &str) -> Fields {
    within("$ref", format!("#/$defs/{name}"))
}
