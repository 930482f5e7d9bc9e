//! The list of an import's clusters: a search, and a radio button for each found cluster, the worst first.

use spillgate_scenario::{
    ClusterList, FoundClusters, LISTED_CLUSTERS, ListedCluster, ResultSeverity, ShortNames, count,
};
use yew::prelude::*;

use crate::{bridge, view::parts::verdict};

/// The longest name that is shown whole, relative to the font size.
const NAME_ROOM: f64 = 24.0;

/// The list, with what the user wants of it.
pub(super) struct ClusterListView<'a> {
    pub(super) list: &'a ClusterList,
    /// The searched words.
    pub(super) words: &'a str,
    /// The chosen cluster.
    pub(super) chosen: Option<usize>,
    pub(super) on_words: Callback<String>,
    pub(super) on_choose: Callback<usize>,
}

impl ClusterListView<'_> {
    /// The search and the list.
    pub(super) fn view(self) -> Html {
        let found = self.list.find(self.words, self.chosen);
        let several = self.list.len() > 1;
        let names = found.shown.iter().map(|cluster| cluster.name);
        let names = ShortNames::of(names, NAME_ROOM);
        let oninput = self
            .on_words
            .reform(|event: InputEvent| bridge::text_of(&event));
        let rows = found.shown.iter().map(|cluster| {
            let short = names.get(cluster.name);
            row(
                cluster,
                short,
                self.chosen == Some(cluster.at),
                &self.on_choose,
            )
        });
        html! {
            <fieldset class="clusters">
                <legend class="hidden">{ "Cluster to show" }</legend>
                if several {
                    <div class="search">
                        <input type="search" data-test="import-cluster-search" aria-label="Search the clusters" value={self.words.to_owned()}
                            placeholder="Name or state" autocomplete="off" spellcheck="false" {oninput} />
                        <span class="note" data-said="yes" data-test="import-cluster-count">{ said(&found, self.list.len()) }</span>
                    </div>
                }
                <div class="cluster-rows" data-test="import-cluster">{ for rows }</div>
            </fieldset>
        }
    }
}

/// The number of found clusters, and of those that are not listed.
fn said(found: &FoundClusters<'_>, all: usize) -> String {
    let listed = found.shown.len();
    let more = match found.count.saturating_sub(listed) {
        0 => String::new(),
        more => format!(", {} more; search to list them", count(more)),
    };
    if found.count == 0 {
        "No cluster has these words.".into()
    } else if found.count == all && listed <= LISTED_CLUSTERS && more.is_empty() {
        format!("{} clusters, the worst first", count(all))
    } else {
        format!(
            "{} of {} clusters, the worst first{more}",
            count(listed),
            count(all)
        )
    }
}

fn row(
    cluster: &ListedCluster<'_>,
    short: &str,
    is_chosen: bool,
    on_choose: &Callback<usize>,
) -> Html {
    let at = cluster.at;
    let onchange = on_choose.reform(move |_: Event| at);
    let refusal = cluster.refusal.map(ToString::to_string);
    let alarm = |severity: ResultSeverity| severity.is_alarm().then_some("alarm");
    html! {
        <label key={at} class="cluster-row">
            <input type="radio" name="import-cluster" value={at.to_string()} checked={is_chosen}
                disabled={refusal.is_some()} {onchange} />
            <span class="state">
                if let Some(found) = cluster.verdict {
                    <span class={classes!(alarm(found.severity))}>{ verdict(found) }</span>
                } else {
                    { "Not computed" }
                }
            </span>
            <span class="name" title={cluster.name.to_owned()}>{ short }</span>
            <span class="note">{ refusal.map_or_else(|| cluster.summary.clone(), |reason| format!("Cannot be shown: {reason}")) }</span>
        </label>
    }
}
