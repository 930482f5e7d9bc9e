//! What the readers' module says, taken in.

use std::rc::Rc;

use spillgate_config::{
    Position,
    envoy::read_written,
    node::{Node, Value, read_json},
};
use spillgate_core::model::Cluster;
use spillgate_link::proposed;

use super::{Fault, Field, HostPlace, Imported, Origin, Places, Severity, Texts};

/// What has become of the texts.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What they offer, unless errors keep them from being used.
    pub imported: Option<Imported>,
    /// Everything that is wrong or doubtful, in the order of the text: errors of the readers
    /// alone if there are any, else warnings and findings.
    pub faults: Vec<Fault>,
}

/// Reads an answer to `texts`.
#[must_use]
pub fn take_in(texts: Texts, answer: &str) -> Reading {
    let document = read_json(answer).ok();
    let root = document
        .as_ref()
        .and_then(|document| document.roots.first());
    let Some(root) = root else {
        return refused(vec![Fault::error(
            "page/answer",
            "the readers gave no answer that this page understands; load the page again",
        )]);
    };
    let mut faults: Vec<Fault> = [("diagnostics", "code"), ("findings", "rule")]
        .into_iter()
        .flat_map(|(list, code)| items(root, list).iter().map(move |node| fault(node, code)))
        .collect();
    // Stable: what has no place stays behind the others, and neighbours stay neighbours.
    faults.sort_by_key(|fault| (fault.field, fault.position.is_none(), fault.position));
    let Some(model) = text(root, "model") else {
        return refused(faults);
    };
    match clusters(model) {
        Ok(clusters) => {
            let proposed = proposed(&clusters);
            let origin = Origin {
                texts,
                clusters,
                places: items(root, "places").iter().map(places).collect(),
                faults: faults.clone(),
            };
            Reading {
                imported: Some(Imported {
                    origin: Rc::new(origin),
                    proposed,
                }),
                faults,
            }
        }
        Err(fault) => {
            faults.insert(0, *fault);
            refused(faults)
        }
    }
}

/// What has become of texts that could not be asked about at all.
#[must_use]
pub fn unreadable(why: &str) -> Reading {
    refused(vec![Fault::error("page/unreadable", why)])
}

fn refused(faults: Vec<Fault>) -> Reading {
    Reading {
        imported: None,
        faults,
    }
}

fn clusters(model: &str) -> Result<Vec<Cluster>, Box<Fault>> {
    let refuse = |code, why: &str| Box::new(Fault::error(code, why));
    let read = read_written(model).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        refuse("page/model", &faults.join("; "))
    })?;
    let clusters = read.into_clusters();
    if clusters.is_empty() {
        return Err(refuse(
            "page/no-cluster",
            "there is no cluster in it: paste a bootstrap, a config_dump, a list of clusters or a \
             single one",
        ));
    }
    Ok(clusters)
}

fn fault(node: &Node<'_>, code: &str) -> Fault {
    let owned = |name| text(node, name).map(str::to_owned);
    Fault {
        severity: match text(node, "severity") {
            Some("error") => Severity::Error,
            Some("warning") => Severity::Warning,
            _ => Severity::Info,
        },
        field: match text(node, "text") {
            Some("clusters") => Field::Clusters,
            _ => Field::Config,
        },
        code: owned(code).unwrap_or_default(),
        path: owned("path").unwrap_or_default(),
        position: number(node.get("line"))
            .zip(number(node.get("column")))
            .map(position),
        message: owned("message").unwrap_or_default(),
        found: owned("found"),
        expected: owned("expected"),
        suggestion: owned("suggestion"),
        fix: owned("fix"),
    }
}

fn places(node: &Node<'_>) -> Places {
    let place = |name| node.get(name).and_then(first_position);
    Places {
        panic_threshold: place("panic_threshold"),
        overprovisioning_factor: place("overprovisioning_factor"),
        members: place("members"),
        levels: items(node, "levels")
            .iter()
            .map(|level| list(level).iter().filter_map(host).collect())
            .collect(),
    }
}

/// Four numbers; a line of 0 is no place.
fn host(node: &Node<'_>) -> Option<HostPlace> {
    let health = list(node).get(2..).unwrap_or_default();
    Some(HostPlace {
        endpoint: first_position(node)?,
        health_status: pair(health).filter(|position| position.line > 0),
    })
}

fn first_position(node: &Node<'_>) -> Option<Position> {
    pair(list(node))
}

fn pair(numbers: &[Node<'_>]) -> Option<Position> {
    number(numbers.first())
        .zip(number(numbers.get(1)))
        .map(position)
}

const fn position((line, column): (u32, u32)) -> Position {
    Position { line, column }
}

fn items<'n, 'a>(node: &'n Node<'a>, name: &str) -> &'n [Node<'a>] {
    node.get(name).map_or(&[], list)
}

fn list<'n, 'a>(node: &'n Node<'a>) -> &'n [Node<'a>] {
    match &node.value {
        Value::List(items) => items,
        _ => &[],
    }
}

fn text<'n>(node: &'n Node<'_>, name: &str) -> Option<&'n str> {
    match &node.get(name)?.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn number(node: Option<&Node<'_>>) -> Option<u32> {
    match node?.value {
        Value::Int(number) => u32::try_from(number).ok(),
        _ => None,
    }
}
