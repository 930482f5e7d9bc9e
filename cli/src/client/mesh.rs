//! The shares of a gRPC client in the clusters of a mesh.

use std::collections::BTreeMap;

use spillgate_answers::{
    grpc::{GrpcLosses, GrpcReading, ISTIO_GRPC},
    input::Faults,
    split::{ClientNote, NoFigures},
};
use spillgate_config::{
    Diagnostic,
    mesh::{
        MeshKind, MeshZone, OutboundCluster, OutboundForm, OutboundShares, traffic_matrices,
        traffic_matrices_with,
    },
};
use spillgate_core::{model::Model, shares::Distribution, snapshot::Snapshot};
use spillgate_mesh::traffic::TrafficMatrix;

use crate::{client_args::Client, command::Done};

/// The assignments that a gRPC client receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeshXds {
    /// Those of the control plane.
    Sent,
    /// Those of the conversion.
    Converted(OutboundForm),
}

/// The traffic matrices under the rules of a client, and what gRPC rejects by cluster.
#[derive(Debug, Default)]
pub(crate) struct ClientMatrices {
    pub(crate) matrices: Vec<TrafficMatrix>,
    /// Why gRPC has no figures for a cluster: its requests count as failed.
    no_figures: BTreeMap<String, NoFigures>,
    /// What gRPC leaves out of a cluster, by its name.
    notes: BTreeMap<String, String>,
}

impl ClientMatrices {
    /// The matrices of zones. Those of both clients have its name in that of the destination.
    pub(crate) fn of(zones: &[MeshZone], client: Client, xds: MeshXds) -> Self {
        let mut found = Self::default();
        if client != Client::Grpc {
            found.matrices = traffic_matrices(zones);
        }
        if client == Client::Both {
            found.name("Envoy");
        }
        if client != Client::Envoy {
            let (no_figures, notes) = (&mut found.no_figures, &mut found.notes);
            let mut grpc = Self {
                matrices: traffic_matrices_with(zones, &mut |cluster| {
                    let (shares, note) = shares(cluster, xds);
                    let name = || cluster.name.clone();
                    if let Some(why) = note.no_figures {
                        no_figures.entry(name()).or_insert(why);
                    }
                    if let Some(first) = note.notes.into_iter().next() {
                        notes.entry(name()).or_insert(first);
                    }
                    shares
                }),
                ..Self::default()
            };
            if client == Client::Both {
                grpc.name("gRPC");
            }
            found.matrices.extend(grpc.matrices);
        }
        found
    }

    fn name(&mut self, client: &str) {
        for matrix in &mut self.matrices {
            matrix.destination = format!("{} ({client})", matrix.destination);
        }
    }

    /// Warns of the clusters that gRPC rejects.
    ///
    /// # Errors
    /// If figures are not known.
    pub(crate) fn warn(&self, file: &str, mesh: MeshKind, done: &mut Done) -> Result<(), Faults> {
        let mut warnings = Vec::new();
        let mut wrong = Faults::default();
        for (cluster, why) in &self.no_figures {
            match why {
                NoFigures::Rejected(_) => {
                    let what = format!("cluster {cluster}: {}", why.text());
                    warnings.push(Diagnostic::warning("client/grpc-rejects", what));
                }
                NoFigures::Unknown(why) => {
                    let what =
                        format!("cluster {cluster}: the shares of gRPC are not known: {why}");
                    wrong.push(file, &Diagnostic::error("client/not-known", what));
                }
            }
        }
        for (cluster, note) in &self.notes {
            let what = format!("cluster {cluster}: {note}");
            warnings.push(Diagnostic::warning("client/grpc-note", what));
        }
        if mesh == MeshKind::Istio && !self.matrices.is_empty() {
            warnings.push(Diagnostic::warning("client/istio-grpc", ISTIO_GRPC));
        }
        done.warn(file, &warnings);
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// The shares of one cluster.
fn shares(cluster: &OutboundCluster, xds: MeshXds) -> (OutboundShares, ClientNote) {
    let assignment = match xds {
        MeshXds::Sent => cluster.assignment.clone(),
        MeshXds::Converted(form) => cluster.written(form).0,
    };
    let none = |why| {
        let found = Distribution {
            no_host: 100.0,
            shares: Vec::new(),
        };
        let note = ClientNote {
            no_figures: Some(why),
            notes: Vec::new(),
        };
        (
            OutboundShares::of(&found, &assignment, cluster.hosts.len()),
            note,
        )
    };
    if cluster.settings.chosen.is_some() {
        let why = "errors validating Cluster resource: [field:type error:unknown discovery type]";
        return none(NoFigures::Rejected(why.into()));
    }
    let Ok(model) = Model::new(vec![cluster.model_of(&assignment, &cluster.hosts)]) else {
        return none(NoFigures::Unknown("Envoy rejects it".into()));
    };
    let reading = GrpcReading::of_model(&model);
    let snapshot = Snapshot::build(&model);
    let losses = GrpcLosses::new(&reading, &model, &snapshot, &cluster.name);
    let Some(losses) = losses else {
        return none(NoFigures::Unknown("the cluster is not in the input".into()));
    };
    let found = losses.without(&[]);
    let shares = OutboundShares::of(&found.shares, &assignment, cluster.hosts.len());
    (shares, found.note)
}
