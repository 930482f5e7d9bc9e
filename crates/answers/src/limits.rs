//! The settings of an input that are not modeled, next to the answers that they concern.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use spillgate_config::{Affects, Diagnostic, Position, SourceMap, node::Writer};
use spillgate_core::{
    snapshot::{ClusterId, Snapshot},
    visible::visible,
};

use crate::unstated::UnstatedAddress;

/// A setting that is not modeled, so that answers can differ from Envoy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The name of its file.
    file: String,
    /// Its position in that file, if it has one.
    position: Option<Position>,
    /// The field, such as `static_resources.clusters[0].lb_policy`; empty for the whole input.
    path: String,
    /// What is not modeled, and what can differ.
    effect: String,
    /// The answers that it concerns.
    affects: Affects,
}

/// The limits of an input, in its order.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    limits: Vec<Limit>,
    /// Whether the input has several files, so that each limit names its own.
    several: bool,
}

/// What a request reaches on its way to a host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The ids of the routes that match; several if a filter changes the request at random.
    pub routes: Vec<usize>,
    /// The clusters that the routes choose.
    pub clusters: Vec<ClusterId>,
    /// Whether the request states the local address of its connection, the original destination.
    pub states_local: bool,
    /// The addresses that decide the result and that the request does not state.
    pub unstated: BTreeSet<UnstatedAddress>,
}

impl Reached {
    /// The texts of the unstated addresses.
    #[must_use]
    pub fn depends_on(&self) -> Vec<String> {
        self.unstated.iter().map(UnstatedAddress::text).collect()
    }
}

impl Limit {
    /// A limit at a place of an input.
    fn new(files: &SourceMap, limit: &Diagnostic) -> Self {
        let place = limit.position.map(|position| files.place(position));
        let file = place.map_or_else(|| files.name(), |place| place.name.to_owned());
        Self::in_file(file, place.map(|place| place.position), limit)
    }

    fn in_file(file: String, position: Option<Position>, limit: &Diagnostic) -> Self {
        let effect = match &limit.found {
            Some(found) => format!("{}; found {found}", limit.message),
            None => limit.message.clone(),
        };
        Self {
            file,
            position,
            path: limit.path.clone(),
            effect,
            affects: limit.affects.clone(),
        }
    }

    /// The limit as a line of text: what can differ, and the place.
    #[must_use]
    pub fn text(&self) -> String {
        format!("can differ: {}", self.effect_and_place())
    }

    /// What is not modeled, and its place.
    #[must_use]
    pub fn effect_and_place(&self) -> String {
        let mut place = self.file.clone();
        if let Some(position) = self.position {
            place.push_str(&format!(":{position}"));
        }
        if !self.path.is_empty() {
            place.push_str(&format!(" {}", self.path));
        }
        visible(&format!("{} ({place})", self.effect)).into_owned()
    }

    fn value(&self, several: bool) -> Value {
        let mut value = Map::new();
        if several {
            value.insert("file".into(), json!(self.file));
        }
        value.insert("path".into(), json!(self.path));
        value.insert("line".into(), json!(self.position.map(|at| at.line)));
        value.insert("effect".into(), json!(self.effect));
        Value::Object(value)
    }
}

impl Limits {
    /// The limits among the findings of an input.
    #[must_use]
    pub fn new(files: &SourceMap, findings: &[Diagnostic]) -> Self {
        let limits = findings.iter().filter(|found| found.is_limit());
        Self {
            limits: limits.map(|limit| Limit::new(files, limit)).collect(),
            several: files.is_several(),
        }
    }

    /// Adds limits of this input that concern the answer.
    #[must_use]
    pub fn with<'d>(
        mut self,
        files: &SourceMap,
        limits: impl IntoIterator<Item = &'d Diagnostic>,
    ) -> Self {
        let limits = limits.into_iter();
        self.limits
            .extend(limits.map(|limit| Limit::new(files, limit)));
        self
    }

    /// Adds those of another text, such as the hosts of `--health`.
    pub fn add(&mut self, file: &str, findings: &[Diagnostic]) {
        let limits = findings
            .iter()
            .filter(|found| found.is_limit())
            .map(|limit| Limit::in_file(file.to_owned(), limit.position, limit));
        self.several |= limits.clone().next().is_some();
        self.limits.extend(limits);
    }

    /// Whether the answer has no limits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Limit> {
        self.limits.iter()
    }

    /// Those that concern the requests of one of these clusters, or of a member of them.
    #[must_use]
    pub fn of_clusters<'c>(
        &self,
        snapshot: &Snapshot,
        clusters: impl IntoIterator<Item = &'c ClusterId>,
    ) -> Self {
        self.of(None, &Reached::default(), &names(snapshot, clusters))
    }

    /// Those that concern the requests of clusters that come from these routes: the index of a listener, and
    /// [`Route::id`](spillgate_core::route::Route::id).
    #[must_use]
    pub fn of_routes(
        &self,
        snapshot: &Snapshot,
        clusters: &[ClusterId],
        routes: &[(usize, usize)],
    ) -> Self {
        let clusters = names(snapshot, clusters);
        let limits = self.limits.iter();
        let concerning = limits.filter(|limit| limit.affects.concerns(&clusters, routes));
        Self {
            limits: concerning.cloned().collect(),
            several: self.several,
        }
    }

    /// Those that concern a request of a listener; `None` for a request that no listener routes.
    #[must_use]
    pub fn of_request(
        &self,
        snapshot: &Snapshot,
        listener: Option<usize>,
        reached: &Reached,
    ) -> Self {
        let clusters = names(snapshot, &reached.clusters);
        self.of(listener, reached, &clusters)
    }

    fn of(&self, of_listener: Option<usize>, reached: &Reached, clusters: &[&str]) -> Self {
        let concerns = |limit: &&Limit| match &limit.affects {
            Affects::Everything => true,
            Affects::Cluster(name) => clusters.contains(&name.as_str()),
            Affects::Listener(listener) => of_listener == Some(*listener),
            Affects::HandOff(listener) => of_listener == Some(*listener) && !reached.states_local,
            Affects::Route { listener, route } => {
                of_listener == Some(*listener) && reached.routes.contains(route)
            }
        };
        Self {
            limits: self.limits.iter().filter(concerns).cloned().collect(),
            several: self.several,
        }
    }

    /// The limits as lines of text.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.limits.iter().map(|limit| limit.text() + "\n");
        lines.collect()
    }

    /// The value of the key `limits` in JSON.
    #[must_use]
    pub fn value(&self) -> Value {
        let limits = self.limits.iter().map(|limit| limit.value(self.several));
        limits.collect()
    }

    /// Writes the same value.
    pub fn write(&self, w: &mut Writer) {
        w.begin_list();
        for limit in &self.limits {
            w.begin_object();
            if self.several {
                w.key("file");
                w.string(&limit.file);
            }
            w.key("path");
            w.string(&limit.path);
            w.key("line");
            match limit.position {
                Some(position) => w.uint(position.line.into()),
                None => w.null(),
            }
            w.key("effect");
            w.string(&limit.effect);
            w.end_object();
        }
        w.end_list();
    }

    /// Adds the key `limits` to a JSON object, if there are some.
    pub fn add_to(&self, object: &mut Map<String, Value>) {
        if !self.is_empty() {
            object.insert("limits".into(), self.value());
        }
    }
}

/// The names of clusters and of their members.
fn names<'s, 'c>(
    snapshot: &'s Snapshot,
    clusters: impl IntoIterator<Item = &'c ClusterId>,
) -> Vec<&'s str> {
    let all = clusters
        .into_iter()
        .flat_map(|id| snapshot.with_members(*id));
    all.filter_map(|id| Some(snapshot.cluster(id)?.name.as_str()))
        .collect()
}
