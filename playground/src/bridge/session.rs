//! The storage of the browser's tab, which a reload keeps and no server receives.
//!
//! Links have no imported text, and replace its addresses and names. So the tab keeps the texts,
//! the answer of the reader as it is, and the scenario with its addresses. They are used only if the address
//! bar still has the link that belongs to them: another link is not a reload. If there is no room for all of them, the
//! page says what a reload loses.

use spillgate_scenario::{ImportTexts, KeptImport, KeptState};
use web_sys::{Storage, window};

const CONFIG: &str = "spillgate.config";
const CLUSTERS: &str = "spillgate.clusters";
const ANSWER: &str = "spillgate.answer";
const SHOWN: &str = "spillgate.shown";
const VIEW: &str = "spillgate.view";
const SCENARIO: &str = "spillgate.scenario";
const OLD: &str = "spillgate.old";
const OLD_ABOUT: &str = "spillgate.old-about";

/// The kept import; empty without one.
#[must_use]
pub fn kept_import() -> KeptImport {
    KeptImport {
        texts: ImportTexts {
            config: get(CONFIG),
            clusters: get(CLUSTERS),
        },
        answer: get(ANSWER),
    }
}

/// The kept state; empty without one.
#[must_use]
pub fn kept_state() -> KeptState {
    KeptState {
        shown: get(SHOWN),
        view: get(VIEW),
        scenario: get(SCENARIO),
        old: get(OLD),
        old_about: get(OLD_ABOUT),
    }
}

/// Keeps an import. Returns whether the browser does; browsers limit the size, to about 5 million characters. After a
/// failure, a reload finds an invalid answer.
#[must_use]
pub fn keep_import(import: &KeptImport) -> bool {
    forget_import();
    let values = [
        (CONFIG, &*import.texts.config),
        (CLUSTERS, &*import.texts.clusters),
        (ANSWER, &*import.answer),
    ];
    let kept = values.into_iter().all(|(key, value)| set(key, value));
    if !kept {
        forget_import();
        set(ANSWER, "lost");
    }
    kept
}

/// Keeps the current state. Returns whether the browser does. After a failure, a reload finds only the link.
#[must_use]
pub fn keep_state(state: &KeptState) -> bool {
    let values = [
        (OLD, &state.old),
        (OLD_ABOUT, &state.old_about),
        (SCENARIO, &state.scenario),
        (VIEW, &state.view),
        (SHOWN, &state.shown),
    ];
    let kept = values.into_iter().all(|(key, value)| set(key, value));
    if !kept {
        remove(SCENARIO);
        remove(OLD);
        set(SHOWN, &state.shown);
    }
    kept
}

/// Removes the kept import.
pub fn forget_import() {
    for key in [
        CONFIG, CLUSTERS, ANSWER, SHOWN, VIEW, SCENARIO, OLD, OLD_ABOUT,
    ] {
        remove(key);
    }
}

fn storage() -> Option<Storage> {
    window()?.session_storage().ok()?
}

fn get(key: &str) -> String {
    let value = storage().and_then(|storage| storage.get_item(key).ok()?);
    value.unwrap_or_default()
}

fn set(key: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

fn remove(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}
