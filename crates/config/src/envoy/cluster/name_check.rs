//! Checks across clusters: duplicate names, unknown names and cycles.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::{
    model::{Cluster, ClusterKind, Model, ModelError},
    names::Names,
};

use super::read::{ReadCluster, read_cluster};
use crate::{
    Diagnostic, Position,
    envoy::{common::ByName, marks::Marks},
    node::quote,
    proto::{HostsKnown, Message, Path, Report, nearest},
};

/// Reports unknown members and clusters without hosts.
pub(crate) fn members_exist(clusters: &[ReadCluster], report: &mut Report) {
    let mut names = Names::default();
    for (at, read) in clusters.iter().enumerate() {
        names.insert(&read.cluster.name, at);
    }
    for read in clusters {
        match &read.cluster.kind {
            ClusterKind::Aggregate(aggregate) => {
                let skips = !aggregate.flatten;
                for (member, position) in aggregate.members.iter().zip(&read.member_positions) {
                    let found = names.get(member).and_then(|at| clusters.get(at));
                    check_member(read, (member, *position), found, skips, &names, report);
                }
            }
            #[cfg(feature = "yaml")]
            ClusterKind::Composite(composite) => {
                let members = composite
                    .members
                    .iter()
                    .filter_map(|member| clusters.get(names.get(member)?));
                let share_a_list = share_a_list(members);
                for (member, position) in composite.members.iter().zip(&read.member_positions) {
                    let effect = if composite.skips {
                        "unknown cluster; Envoy silently skips this member"
                    } else {
                        "unknown cluster; the attempts of this member get 503"
                    };
                    match names.get(member).and_then(|at| clusters.get(at)) {
                        None => unknown_member(read, (member, *position), effect, &names, report),
                        Some(_) if share_a_list => {}
                        Some(found) => member_overrides(read, found, *position, report),
                    }
                }
            }
            #[cfg(not(feature = "yaml"))]
            ClusterKind::Composite(_) => {}
            ClusterKind::OriginalDst(_) => {}
            ClusterKind::Plain(plain) => {
                let empty = plain
                    .priorities
                    .iter()
                    .all(|priority| priority.endpoints.is_empty());
                let known =
                    read.marks.unknown_hosts.is_none() && report.hosts() == HostsKnown::InText;
                if read.complete && empty && known {
                    report.doubt(
                        Diagnostic::warning(
                            "config/no-endpoints",
                            format!(
                                "cluster {} has no endpoints; its requests get 503",
                                quote(&read.cluster.name)
                            ),
                        )
                        .at(read.path.text(), read.marks.cluster),
                    );
                }
            }
        }
    }
}

fn check_member(
    read: &ReadCluster,
    (member, position): (&str, Position),
    found: Option<&ReadCluster>,
    skips_aggregates: bool,
    names: &Names,
    report: &mut Report,
) {
    if report.is_judged() {
        return;
    }
    match found.map(|found| &found.cluster.kind) {
        None => {
            let effect = "unknown cluster; Envoy silently skips this member";
            unknown_member(read, (member, position), effect, names, report);
        }
        Some(ClusterKind::Aggregate(_)) if skips_aggregates && member != read.cluster.name => {
            report.push(
                Diagnostic::warning(
                    "config/aggregate-nested",
                    "nested aggregate; Envoy silently skips it",
                )
                .at(members_path(read), position)
                .found(quote(member)),
            )
        }
        Some(_) => {}
    }
}

/// Whether all members of a composite cluster read the same hosts from the request.
#[cfg(feature = "yaml")]
fn share_a_list<'c>(members: impl Iterator<Item = &'c ReadCluster>) -> bool {
    let mut first = None;
    let mut sources = members.map(|member| match &member.cluster.kind {
        ClusterKind::Plain(plain) => Some(&plain.override_hosts),
        _ => None,
    });
    sources.all(|sources| sources.is_some_and(|sources| *first.get_or_insert(sources) == sources))
}

/// Reports a member of a composite cluster that reads other hosts from the request than its other members.
#[cfg(feature = "yaml")]
fn member_overrides(
    read: &ReadCluster,
    member: &ReadCluster,
    position: Position,
    report: &mut Report,
) {
    let ClusterKind::Plain(plain) = &member.cluster.kind else {
        return;
    };
    if !plain.override_hosts.is_empty() {
        report.within(
            crate::Affects::Cluster(read.cluster.name.clone()),
            |report| {
                report.limit(
                    "config/not-modeled",
                    format!(
                        "override_host of member {} is not modeled in a composite cluster whose \
                         members read different lists",
                        quote(&member.cluster.name)
                    ),
                    &read.path.field("cluster_type"),
                    position,
                );
            },
        );
    }
}

/// Reports a member that no cluster has.
fn unknown_member(
    read: &ReadCluster,
    (member, position): (&str, Position),
    effect: &str,
    names: &Names,
    report: &mut Report,
) {
    report.doubt(
        Diagnostic::warning("config/unknown-cluster", effect)
            .at(members_path(read), position)
            .found(quote(member))
            .suggest(nearest(member, names.iter())),
    );
}

fn members_path(read: &ReadCluster) -> String {
    read.path.field("cluster_type.typed_config.clusters").text()
}

/// Reads the clusters of the field `clusters` as a model without positions, and their names.
pub fn read_model(message: &Message<'_, '_>, report: &mut Report) -> (Model, Names) {
    let assignments = ByName::none();
    let nodes = message.list("clusters", report);
    let clusters: Vec<_> = nodes
        .filter_map(|(path, node)| read_cluster(node, path, &assignments, report))
        .collect();
    members_exist(&clusters, report);
    let mut names = Names::default();
    for read in &clusters {
        names.add(&read.cluster.name);
    }
    (build_model(clusters, report).0, names)
}

/// The place of a cluster for errors about its name.
struct ClusterPlace {
    position: Position,
    path: Path,
    /// The place of an earlier cluster of this name, if that is in another file.
    other_file: Option<String>,
}

/// Builds the model and collects the positions of its clusters.
pub(crate) fn build_model(clusters: Vec<ReadCluster>, report: &mut Report) -> (Model, Marks) {
    let mut marks = Marks::default();
    let mut names = Names::default();
    let mut places = Vec::new();
    let mut model = Vec::new();
    for (at, read) in clusters.into_iter().enumerate() {
        let name = read.cluster.name.clone();
        // The last position is kept: of two clusters with one name, the second is the duplicate.
        let earlier: Option<&ClusterPlace> = names.insert(&name, at).and_then(|at| places.get(at));
        places.push(ClusterPlace {
            position: match earlier {
                None => read.marks.members.unwrap_or(read.marks.cluster),
                Some(_) => read.marks.cluster,
            },
            path: read.path.clone(),
            other_file: earlier.and_then(|earlier| {
                report
                    .sources()
                    .elsewhere(earlier.position, read.marks.cluster)
            }),
        });
        marks.insert(&name, read.marks);
        model.push(read.cluster);
    }
    // Clusters without a name have already been reported.
    model.retain(|cluster| !cluster.name.is_empty());
    if report.is_judged() {
        skip_nested(&mut model);
    }
    match Model::new(model) {
        Ok(model) => (model, marks),
        Err(errors) => {
            for error in errors {
                let (code, name) = match &error {
                    ModelError::DuplicateCluster { name } => {
                        ("config/duplicate-cluster", Some(name))
                    }
                    ModelError::AggregateCycle { path } => ("config/aggregate-cycle", path.first()),
                    _ => ("config/model", None),
                };
                let mut diagnostic = Diagnostic::error(code, error.to_string());
                if let Some(place) = name.and_then(|name| places.get(names.get(name)?)) {
                    diagnostic = diagnostic.at(place.path.text(), place.position);
                    if let Some(other) = &place.other_file {
                        let message = &mut diagnostic.message;
                        message.push_str(&format!(", first defined at {other}"));
                    }
                }
                report.refuse(diagnostic);
            }
            (Model::empty(), marks)
        }
    }
}

/// Removes nested aggregates, as Envoy does; this also removes all cycles.
fn skip_nested(clusters: &mut [Cluster]) {
    let mut aggregates = Names::default();
    for cluster in clusters.iter() {
        if matches!(cluster.kind, ClusterKind::Aggregate(_)) {
            aggregates.add(&cluster.name);
        }
    }
    for cluster in clusters {
        if let ClusterKind::Aggregate(aggregate) = &mut cluster.kind {
            aggregate.members.retain(|name| !aggregates.contains(name));
        }
    }
}
