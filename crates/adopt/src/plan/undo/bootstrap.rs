//! The poller, its access to the admin interface, and labels.

use super::{
    super::{
        admin::is_condition, files::Edit, filter::ADMIN_CLUSTER, place::Place, stats,
        wasm::has_poller,
    },
    removal::of_items,
};

/// The changes of the bootstrap.
pub(super) fn edits(root: &Place<'_>) -> Vec<Edit> {
    let mut edits = of_items(root, "bootstrap_extensions", |one| {
        let text = |names: &[&str]| Some(one.at(names)?.value.as_str()?.to_owned());
        text(&["typed_config", "config", "root_id"]).as_deref() == Some("spillgate-poller")
            || text(&["typed_config", "extension_name"]).as_deref() == Some("spillgate")
    });
    let resources = root.field("static_resources");
    let before = resources
        .as_ref()
        .map_or_else(Vec::new, |own| own.items("clusters"));
    let is_admin = |one: &Place<'_>| one.text("name") == Some(ADMIN_CLUSTER);
    let has_admin = has_poller(root) && before.iter().any(is_admin);
    if let Some(resources) = &resources {
        if resources.children().len() == 1 && before.len() == 1 && has_admin {
            edits.extend(
                root.key("static_resources")
                    .map(|key| root.remove_entry(&key)),
            )
        } else if has_admin {
            edits.extend(of_items(resources, "clusters", is_admin))
        }
    }
    if let Some(included) = root.at(&["stats_config", "stats_matcher", "inclusion_list"]) {
        edits.extend(of_items(&included, "patterns", |pattern| {
            stats::WASM.is_pattern(pattern) || stats::MODULE.is_pattern(pattern)
        }));
    }
    if let Some(config) = root.field("stats_config") {
        let is_ours = |tag: &Place<'_>| stats::WASM.has_tag(tag) || stats::MODULE.has_tag(tag);
        let all_ours = config.items("stats_tags").iter().all(is_ours);
        if all_ours && config.children().len() == 1 {
            edits.extend(root.key("stats_config").map(|key| root.remove_entry(&key)))
        } else {
            edits.extend(of_items(&config, "stats_tags", is_ours))
        }
    }
    if let (true, Some(admin)) = (has_admin, root.field("admin")) {
        let paths = admin.items("allow_paths");
        let only_ours = !paths.is_empty() && paths.iter().all(is_condition);
        if only_ours && admin.children().len() == 2 {
            // An interface that only the poller can read is that of adopt.
            edits.extend(root.key("admin").map(|key| root.remove_entry(&key)))
        } else {
            edits.extend(of_items(&admin, "allow_paths", is_condition))
        }
    }
    edits
}
