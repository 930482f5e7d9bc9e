//! Derivations as text.
#![allow(clippy::unwrap_used)]

use spillgate_config::envoy::{Format, read};
use spillgate_core::{
    snapshot::{ClusterId, Snapshot},
    trace::PriorityRef,
    why::{Condition, Expr, Formula, Quantity, Subject, Symbol, Term},
};
use spillgate_explain::{Notation, WhyText};

/// One cluster without hosts.
fn shop() -> (Snapshot, ClusterId) {
    let config = read("- name: shop\n", Format::Yaml).unwrap();
    let snapshot = Snapshot::build(&config.model);
    let cluster = snapshot.cluster_id("shop").unwrap();
    (snapshot, cluster)
}

fn of(notation: Notation, formula: &Formula) -> String {
    let (snapshot, cluster) = shop();
    let words = WhyText {
        snapshot: &snapshot,
        cluster,
        notation,
    };
    words.formula(formula)
}

fn ratio(product: Vec<Expr>, whole: Expr) -> Expr {
    Expr::Ratio(Box::new(Expr::Product(product)), Box::new(whole))
}

#[test]
fn formulas_have_two_notations() {
    let availability = ratio(vec![Expr::Number(140), Expr::Number(5)], Expr::Number(10));
    let formula = Formula::Value {
        expr: Expr::Min(vec![Expr::Number(100), Expr::Floor(Box::new(availability))]),
        when: Some(Condition::ByWeight),
    };
    let ascii = of(Notation::Ascii, &formula);
    assert_eq!(ascii, "min(100, floor(140 x 5 / 10)), by weight");
    let typeset = of(Notation::Typeset, &formula);
    assert_eq!(typeset, "min(100, ⌊140 × 5 ÷ 10⌋), by weight");
}

#[test]
fn terms_name_their_numbers() {
    let load = Expr::Min(vec![
        Expr::Term(30, Term::Left),
        Expr::Term(100, Term::Available),
    ]);
    let formula = Formula::Value {
        expr: Expr::Sum(vec![load, Expr::Term(1, Term::Rounding)]),
        when: None,
    };
    assert_eq!(
        of(Notation::Ascii, &formula),
        "min(30 left, 100 available) + 1 left by rounding"
    );
    let share = ratio(
        vec![Expr::Symbol(Symbol::Load), Expr::Term(3, Term::Weight)],
        Expr::Symbol(Symbol::SumOfWeights),
    );
    let formula = Formula::Value {
        expr: share,
        when: Some(Condition::AmongUsable { while_idle: true }),
    };
    assert_eq!(
        of(Notation::Ascii, &formula),
        "load x weight 3 / sum of weights, among the usable hosts of the priority while all are idle"
    );
}

#[test]
fn typeset_numbers_keep_their_units() {
    let (snapshot, cluster) = shop();
    let words = |notation| WhyText {
        snapshot: &snapshot,
        cluster,
        notation,
    };
    let value = Quantity::Percent(70.0);
    assert_eq!(words(Notation::Ascii).value(value), "70 %");
    assert_eq!(words(Notation::Typeset).value(value), "70\u{a0}%");
    let priority = PriorityRef {
        cluster,
        priority: 1,
    };
    let label = words(Notation::Ascii).label(Subject::Load(priority));
    assert_eq!(label, "load(P1)");
}
