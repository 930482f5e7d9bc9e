//! The text of the panel after edits and changes of the picture, and its caret.

use std::rc::Rc;

use spillgate_codec::link::Disclosure;
use spillgate_scenario::{
    EditedScenario, HealthChoice, ImportOrigin, PriorityAt, ScenarioEdit, apply, preset,
};

use super::{
    caret::moved,
    draft::{MergeResult, TextDraft, TextState},
};
use crate::{
    state::{ShareInput, import_text::import_of},
    view::{
        Action,
        share::{Wanted, file},
    },
};

#[test]
fn a_caret_stays_at_its_characters() {
    let (old, new) = ("name: a\nhealth: X\nend", "name: a\nend");
    assert_eq!(moved(old, new, 3), 3);
    assert_eq!(moved(old, new, old.len() as u32), new.len() as u32);
    assert_eq!(moved(old, new, old.len() as u32 - 2), new.len() as u32 - 2);
    assert_eq!(moved(old, new, 12), 8, "the start of the change");
    assert_eq!(moved(new, old, 11), old.len() as u32);
    // An astral character counts twice.
    assert_eq!(moved("\u{1f600}a", "\u{1f600}bca", 3), 5);
    assert_eq!(moved("", "abc", 0), 0);
    assert_eq!(moved("aa", "aaa", 2), 2);
}

fn text_of(scenario: &EditedScenario) -> String {
    let input = ShareInput {
        disclosure: Disclosure::Addresses,
        view: Vec::new(),
    };
    file(scenario, &input, Wanted::Text).unwrap().text
}

fn read(text: &str) -> Rc<ImportOrigin> {
    import_of(text, "").imported.unwrap().origin
}

/// The text of a preset that the panel shows, as the reader has read it.
fn shown(name: &str) -> (Rc<EditedScenario>, TextDraft) {
    let scenario = Rc::new(preset(name).unwrap());
    let mut draft = TextDraft::default();
    assert_eq!(
        draft.merge(&scenario, &text_of(&scenario)),
        MergeResult::Merged
    );
    agree(&mut draft);
    (scenario, draft)
}

fn agree(draft: &mut TextDraft) {
    let unread = draft.unread.take().unwrap();
    draft.agreed = Some(read(&unread));
}

/// Types a text. Returns what the scenario becomes.
fn typed(draft: &mut TextDraft, now: &Rc<EditedScenario>, text: String) -> Rc<EditedScenario> {
    draft.text = text;
    draft.state = TextState::Typed;
    follow(draft, now)
}

fn follow(draft: &mut TextDraft, now: &Rc<EditedScenario>) -> Rc<EditedScenario> {
    let read = read(&draft.text);
    let action = draft.follow(now, &read, 0.0).unwrap();
    assert_eq!(draft.state, TextState::Same);
    match action {
        Some(Action::Rewrite(next, _) | Action::Open(next, _)) => next,
        None => Rc::clone(now),
        other => panic!("{other:?}"),
    }
}

/// A change in the picture.
fn changed(
    draft: &mut TextDraft,
    now: &Rc<EditedScenario>,
    edit: &ScenarioEdit,
) -> (Rc<EditedScenario>, MergeResult) {
    let next = Rc::new(apply(now, edit).unwrap());
    let result = moved_to(draft, &next);
    (next, result)
}

fn moved_to(draft: &mut TextDraft, next: &Rc<EditedScenario>) -> MergeResult {
    let of = draft.of.clone();
    draft.written = of.map(|of| text_of(&of));
    draft.merge(next, &text_of(next))
}

fn fail(host: usize) -> ScenarioEdit {
    ScenarioEdit::Health {
        priority: PriorityAt {
            cluster: 0,
            priority: 0,
        },
        hosts: vec![host],
        health: HealthChoice::Unhealthy,
    }
}

#[test]
fn a_click_within_the_pause_stays() {
    let (start, mut draft) = shown("documented");
    let edited = draft
        .text
        .replacen("lb_policy: MAGLEV", "lb_policy: RANDOM", 1);
    assert_ne!(edited, draft.text);
    draft.text = edited;
    draft.state = TextState::Typed;
    let (clicked, result) = changed(&mut draft, &start, &fail(0));
    assert_eq!(result, MergeResult::Merged);
    assert_eq!(draft.state, TextState::Typed);
    let both = follow(&mut draft, &clicked);
    let expected = text_of(&clicked).replacen("lb_policy: MAGLEV", "lb_policy: RANDOM", 1);
    assert_eq!(text_of(&both), expected);
    assert!(draft.is_of(&both));
}

#[test]
fn a_text_with_an_error_gets_the_changes_of_the_picture() {
    let (start, mut draft) = shown("documented");
    let right = draft.text.clone();
    draft.text = right.replacen("MAGLEV", "MAGLEF", 1);
    draft.state = TextState::Rejected;
    let wrong = draft.text.clone();
    let (clicked, result) = changed(&mut draft, &start, &fail(0));
    assert_eq!(result, MergeResult::Merged);
    assert!(draft.text.contains("MAGLEF") && draft.text != wrong);
    // Undo.
    assert_eq!(moved_to(&mut draft, &start), MergeResult::Merged);
    assert_eq!(draft.text, wrong);
    let (_, result) = changed(&mut draft, &start, &fail(0));
    assert_eq!(result, MergeResult::Merged);
    let corrected = draft.text.replacen("MAGLEF", "MAGLEV", 1);
    assert_eq!(*typed(&mut draft, &clicked, corrected), *clicked);
}

#[test]
fn a_change_of_the_picture_keeps_comments_and_ignored_fields() {
    let (start, mut draft) = shown("documented");
    let own = "lb_policy: MAGLEV\n    connect_timeout: 2s # slow";
    let text = draft.text.replacen("lb_policy: MAGLEV", own, 1);
    let same = typed(&mut draft, &start, text);
    assert_eq!(same, start, "it balances nothing");
    let (failed, _) = changed(&mut draft, &same, &fail(0));
    assert!(draft.text.contains(own), "{}", draft.text);
    assert!(TextDraft::is_confirmed(&failed, &read(&draft.text)));
}

#[test]
fn a_text_without_a_cluster_of_the_scenario_is_not_confirmed() {
    let (shop, draft) = shown("shop");
    assert!(TextDraft::is_confirmed(&shop, &read(&draft.text)));
    let last = draft.text.find("  - name: shop-secondary").unwrap();
    assert!(!TextDraft::is_confirmed(
        &shop,
        &read(draft.text.get(..last).unwrap())
    ));
    let other = draft.text.replacen("UNHEALTHY", "HEALTHY", 1);
    assert!(!TextDraft::is_confirmed(&shop, &read(&other)));
}

#[test]
fn the_text_of_another_cluster_is_its_own() {
    let (shop, mut draft) = shown("shop");
    let text = format!("# Our shop.\n{}", draft.text);
    assert_eq!(typed(&mut draft, &shop, text), shop);
    let edit = ScenarioEdit::Show(shop.shown()[0]);
    let (member, _) = changed(&mut draft, &shop, &edit);
    assert_eq!(draft.text, text_of(&member));
}

#[test]
fn an_edit_stays_while_another_cluster_is_chosen() {
    let (shop, mut draft) = shown("shop");
    let right = draft.text.clone();
    draft.text = right.replacen("lb_policy", "lb_polici", 1);
    draft.state = TextState::Rejected;
    let wrong = draft.text.clone();
    let (member, result) = changed(&mut draft, &shop, &ScenarioEdit::Show(shop.shown()[0]));
    assert_eq!((result, draft.text.as_str()), (MergeResult::Kept, &*wrong));
    let next = typed(&mut draft, &member, right);
    assert_eq!(next, member);
    assert!(
        !draft.is_of(&member),
        "the text of the chosen cluster is next"
    );
    assert_eq!(moved_to(&mut draft, &member), MergeResult::Merged);
    assert_eq!(draft.text, text_of(&member));
}

#[test]
fn a_misspelled_member_can_be_corrected() {
    let (shop, mut draft) = shown("shop");
    let right = draft.text.clone();
    let member = shop.name(shop.shown()[0]);
    let wrong = right.replacen(
        &format!("clusters: [{member},"),
        "clusters: [misspelled,",
        1,
    );
    assert_ne!(wrong, right);
    let lost = typed(&mut draft, &shop, wrong);
    assert_ne!(lost, shop);
    assert_eq!(typed(&mut draft, &lost, right.clone()), shop);
    assert_eq!(draft.text, right);
}

#[test]
fn the_closed_panel_keeps_its_text() {
    let (_, mut draft) = shown("shop");
    draft.text.push_str("lb_polici: RANDOM\n");
    draft.state = TextState::Rejected;
    let text = draft.text.clone();
    draft.keep();
    let kept = TextDraft::kept();
    assert_eq!((kept.text, kept.state), (text, TextState::Rejected));
    assert_eq!(TextDraft::kept().text, "", "once");
}
