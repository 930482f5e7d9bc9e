//! From a configuration to the one that the filter steers.

use serde_json::Value;
use spillgate_config::{Diagnostic, isolation::ListFallback};
use spillgate_core::visible::quoted;

use super::{
    changes,
    cluster::{Clusters, clusters, has_subsets, leads_to},
    existing,
    files::{Edit, Files},
    filter::{Carried, configuration},
    listener::manager,
    lists::check_lists,
    module,
    names::{check_merge_keys, check_names},
    options::{AdoptForm, AdoptOptions},
    place::Place,
    present::{self, present},
    route::{SteeredRoute, routes},
    runtime::check_runtime,
    shared::{check_owners, check_routes},
    stats,
    target::{base, target},
    users::{UserLoss, other_users},
    wasm,
};
use crate::edit::{EditText, show_path};

/// A configuration that the filter steers.
#[derive(Debug)]
pub struct Adopted {
    /// The texts of the files, in their order.
    pub texts: Vec<String>,
    /// The clusters that the filter balances.
    pub clusters: Vec<String>,
    /// The configuration of the filter; `None` if it was there already.
    pub filter: Option<Value>,
    /// What serves if no host of the filter's list is left; `None` if the filter was there already.
    pub fallback: Option<ListFallback>,
    /// Whether the filter keeps sessions, for which Envoy needs keys.
    pub sessions: bool,
    /// The address of an admin interface that the bootstrap did not have.
    pub admin: Option<String>,
}

/// Patches the files of a configuration: a bootstrap, and resources that it reads from files.
///
/// # Errors
/// Everything that cannot be carried over, with its place; lines are counted over all files.
pub fn adopt(texts: &[EditText], options: &AdoptOptions) -> Result<Adopted, Vec<Diagnostic>> {
    let files = Files(texts);
    check_merge_keys(files)?;
    let manager = manager(files, options.listener.as_deref())?;
    if let Some(filter) = present(files, &manager)? {
        let differences = present::differences(files, &filter, options);
        if differences.is_empty() {
            return Ok(unchanged(texts));
        }
        let fault = |line| {
            let what = "the filter is there already, and differs; --undo takes it back";
            manager.fault(files, what).found(line)
        };
        return Err(differences.into_iter().map(fault).collect());
    }
    let Some(bootstrap) = files.bootstrap() else {
        return Err(vec![manager.fault(
            files,
            "the bootstrap is missing: the filter needs changes in it, too",
        )]);
    };
    check_runtime(files, &bootstrap)?;
    check_names(files, (&bootstrap, &manager), &options.form)?;
    let (steered, others) = routes(files, &manager, &options.clusters)?;
    let clusters = clusters(files, &steered)?;
    check_owners(files, &clusters, &steered)?;
    let plan = Plan::new(files, options, &manager, &steered, clusters)?;
    plan.check_users(&options.form, &steered)?;
    let mut of_filter = steered.iter();
    if of_filter.any(|route| changes::chooses_cluster(route, &plan.clusters)) {
        check_routes(files, &manager)?;
    }
    let mut edits = changes::of_clusters(&options.form, &plan.clusters, plan.fallback);
    let routes = (steered.as_slice(), others.as_slice());
    edits.extend(changes::of_routes(
        files,
        &options.form,
        routes,
        &plan.target,
        &plan.clusters,
    )?);
    edits.extend(changes::of_manager(
        files,
        &options.form,
        &manager,
        &plan.config,
        plan.session.as_ref(),
    ));
    let (changed, admin) = plan.bootstrap(&bootstrap, options)?;
    edits.extend(changed);
    let names = plan
        .clusters
        .owners
        .iter()
        .filter_map(|owner| owner.text("name"));
    Ok(Adopted {
        texts: files.changed(&edits)?,
        clusters: names.map(str::to_owned).collect(),
        filter: Some(plan.config.clone()),
        fallback: Some(plan.fallback),
        sessions: plan.config.get("affinity").is_some(),
        admin,
    })
}

fn unchanged(texts: &[EditText]) -> Adopted {
    Adopted {
        texts: texts.iter().map(|text| text.text().to_owned()).collect(),
        clusters: Vec::new(),
        filter: None,
        fallback: None,
        sessions: false,
        admin: None,
    }
}

/// What the filter does.
struct Plan<'v> {
    files: Files<'v>,
    clusters: Clusters<'v>,
    target: super::target::Target,
    /// The filter `stateful_session` whose sessions are carried over.
    session: Option<Place<'v>>,
    config: Value,
    fallback: ListFallback,
}

impl<'v> Plan<'v> {
    fn new(
        files: Files<'v>,
        options: &AdoptOptions,
        manager: &Place<'v>,
        steered: &[SteeredRoute<'v>],
        clusters: Clusters<'v>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let has_subsets = clusters.owners.iter().any(has_subsets);
        if matches!(options.form, AdoptForm::Module(_)) {
            check_lists(files, &clusters)?;
        }
        let mut target = target(files, steered)?;
        if !has_subsets && options.chain.is_empty() {
            // Without subsets, Envoy ignores criteria.
            target.metadata_match = Value::Null;
            target.criteria_by_route = false;
        }
        let mut carried = Carried::default();
        if has_subsets {
            carried.criteria = existing::criteria(files, manager)?;
        }
        let sessions = existing::sessions(files, manager)?;
        if let (Some(_), Some((_, filter))) = (options.sessions, &sessions) {
            let what = "--sessions: the configuration has sessions, which are carried over";
            return Err(vec![filter.fault(files, what)]);
        }
        carried.affinity = sessions.as_ref().map(|(affinity, _)| affinity.clone());
        let retries = steered.iter().map(|route| route.retries).max().unwrap_or(0);
        let Some(base) = base(steered) else {
            return Err(Vec::new());
        };
        let config = configuration(
            files,
            options,
            (&target, base, retries),
            &clusters,
            &carried,
        )?;
        let restricting = ["criteria", "subset_chain", "metadata_match", "affinity"];
        let restricts = restricting.iter().any(|name| config.get(name).is_some());
        let derived = if has_subsets || restricts {
            ListFallback::Isolation
        } else {
            ListFallback::Availability
        };
        Ok(Self {
            files,
            clusters,
            target,
            session: sessions.map(|(_, filter)| filter),
            config,
            fallback: options.fallback.unwrap_or(derived),
        })
    }

    /// Other users of clusters are errors if the filter takes away what they need.
    fn check_users(
        &self,
        form: &AdoptForm,
        steered: &[SteeredRoute<'v>],
    ) -> Result<(), Vec<Diagnostic>> {
        let fault = |(place, name): (Place<'v>, String)| {
            let mut owners = self.clusters.owners.iter();
            let owner = owners.find(|own| own.text("name") == Some(&name))?;
            let hash = (form, &self.target.hash_policy);
            let loss = UserLoss::of(self.files, (&place, owner), self.fallback, hash)?;
            let mut steered = steered.iter();
            let route = steered.find(|route| leads_to(route, &self.clusters.aggregates, &name));
            let route = route.map_or_else(String::new, |route| show_path(&route.route.path));
            let fault = place.fault(self.files, loss.text());
            let fault = fault.found(format!("{}, steered in {route}", quoted(&name)));
            Some(fault.expected(loss.remedy()))
        };
        let used = other_users(self.files, &self.clusters, steered).into_iter();
        let faults: Vec<Diagnostic> = used.filter_map(fault).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// The changes outside of listener, routes and clusters, and the address of a new admin interface.
    fn bootstrap(
        &self,
        root: &Place<'v>,
        options: &AdoptOptions,
    ) -> Result<(Vec<Edit>, Option<String>), Vec<Diagnostic>> {
        match &options.form {
            AdoptForm::Wasm(file) => {
                let with = (file.as_str(), options.regex);
                let changes =
                    wasm::bootstrap(self.files, root, &self.clusters, &self.config, with)?;
                Ok((changes.edits, changes.admin))
            }
            AdoptForm::Module(name) => {
                let extensions = root.items("bootstrap_extensions");
                let is_there = |one: &Place<'_>| {
                    let own = one.at(&["typed_config", "extension_name"]);
                    own.is_some_and(|own| own.value.as_str() == Some("spillgate"))
                };
                // Another listener is steered already.
                if extensions.iter().any(is_there) {
                    return Ok((Vec::new(), None));
                }
                let extension = module::bootstrap_extension(name);
                let mut edits = vec![root.add_item("bootstrap_extensions", None, extension)];
                edits.extend(stats::visible(root, &stats::MODULE));
                Ok((edits, None))
            }
        }
    }
}
