//! The fields of a request for the routes of an import.

use crate::view::parts::{Choice, note};
use spillgate_codec::import::{RouteAnswer, RouteField, RouteFieldKind};
use yew::prelude::*;

use super::{change::Change, text::TextField};
use crate::view::screens::trace::{Addressee, SOURCE};

/// The choice between the routes and the shown cluster.
pub(super) fn addressee(cluster: &str, change: &Change) -> Html {
    let options = [
        ("routes", "the routes of the import".to_owned()),
        ("cluster", format!("the cluster {cluster}")),
    ];
    let value = match change.input.addressee {
        Addressee::Routes => "routes",
        Addressee::Cluster => "cluster",
    };
    let on_value = change.by(|input, value: String| {
        input.addressee = match value.as_str() {
            "cluster" => Addressee::Cluster,
            _ => Addressee::Routes,
        };
    });
    let options = options.map(|(value, text)| (value.to_owned(), text));
    html! {
        <Choice id="trace-to" test="trace-to" label="request to" options={options.to_vec()} value={value.to_owned()} {on_value} />
    }
}

/// The host, the path, and the values that the routes and their hash policies read.
pub(super) fn request_fields(answer: &RouteAnswer, change: &Change) -> Html {
    let input = &change.input;
    let listeners = answer.listeners.iter().enumerate();
    let listeners: Vec<(String, String)> = listeners
        .map(|(at, name)| (at.to_string(), name.clone()))
        .collect();
    let on_listener = change.by(|input, at: String| input.listener = at.parse().unwrap_or(0));
    let in_query = answer
        .fields
        .iter()
        .filter(|field| field.kind == RouteFieldKind::QueryParameter)
        .map(|field| field.name.as_str())
        .collect::<Vec<_>>();
    html! {
        <>
            if listeners.len() > 1 {
                <Choice id="trace-listener" test="trace-listener" label="listener" options={listeners} value={input.listener.to_string()}
                    on_value={on_listener} />
            }
            { TextField {
                test: "trace-authority".into(),
                label: "host".into(),
                example: answer.host.clone(),
                value: input.authority.clone(),
                on_value: change.by(|input, host: String| input.authority = host.trim().into()),
            }.view() }
            { TextField {
                test: "trace-path-of".into(),
                label: "path".into(),
                example: answer.path.clone(),
                value: input.path.clone(),
                on_value: change.by(|input, path: String| input.path = path.trim().into()),
            }.view() }
            { for answer.fields.iter().map(|one| field(one, change)) }
            if !in_query.is_empty() {
                { note(format!("In the query of the path, the routes read {}.", in_query.join(", "))) }
            }
        </>
    }
}

fn field(field: &RouteField, change: &Change) -> Html {
    let (kind, name) = (field.kind, field.name.clone());
    let why = if field.is_hashed { ", hashed" } else { "" };
    let (test, label, example, value) = match kind {
        RouteFieldKind::Header => (
            "header",
            format!("{name}{why}"),
            "no such header",
            change.input.sent(kind, &name),
        ),
        RouteFieldKind::Cookie => (
            "cookie",
            format!("cookie {name}{why}"),
            "no such cookie",
            change.input.sent(kind, &name),
        ),
        RouteFieldKind::Source => (
            "source",
            format!("client address{why}"),
            SOURCE,
            change.input.source.as_str(),
        ),
        RouteFieldKind::QueryParameter => return html! {},
    };
    let value = value.to_owned();
    let on_value = {
        let (change, name) = (change.clone(), name.clone());
        Callback::from(move |value: String| {
            let mut next = change.input.clone();
            match kind {
                RouteFieldKind::Source => next.source = value,
                _ => next.send(kind, &name, &value),
            }
            change.set.emit(next);
        })
    };
    let test = match name.as_str() {
        "" => format!("trace-{test}"),
        name => format!("trace-{test}-{name}"),
    };
    TextField {
        test,
        label,
        example: example.to_owned(),
        value,
        on_value,
    }
    .view()
}
