//! Small invented crates: with and without cycles.

use super::cycles_of;
use crate::text_files::TextFile;

/// The cycles of a crate `a` with these sources.
fn found(sources: &[(&str, &str)]) -> Vec<String> {
    let file = |(path, text): &(&str, &str)| TextFile {
        path: format!("a/src/{path}"),
        text: (*text).to_owned(),
    };
    let files: Vec<TextFile> = sources.iter().map(file).collect();
    cycles_of("a", &files).unwrap_or_else(|error| panic!("{error}"))
}

/// The one cycle of a crate.
fn one(sources: &[(&str, &str)]) -> String {
    let mut found = found(sources);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_cycle_is_named_with_the_places_of_its_edges() {
    let text = one(&[
        ("lib.rs", "mod x;\nmod y;\nmod z;"),
        ("x.rs", "use crate::y::Y;\n\npub struct X;"),
        ("y.rs", "pub struct Y;\nfn y() { super::x::X; }"),
        ("z.rs", "use crate::{x, y};"),
    ]);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "a/src: cycle of x, y",
            "x -> y: a/src/x.rs:1",
            "y -> x: a/src/y.rs:2"
        ]
    );
}

#[test]
fn an_edge_belongs_to_the_deepest_folder_that_holds_both() {
    let text = one(&[
        ("lib.rs", "mod f;\nmod g;"),
        ("f/mod.rs", "mod p;\nmod q;\nmod r;"),
        ("f/p.rs", "use super::q;\nuse crate::g::G;"),
        ("f/q/mod.rs", "mod deep;"),
        ("f/q/deep.rs", "use crate::f::r::R;"),
        ("f/r.rs", "use super::p as other;\npub struct R;"),
        ("g.rs", "pub struct G;"),
    ]);
    assert!(text.starts_with("a/src/f: cycle of p, q, r"), "{text}");
    assert!(text.contains("q -> r: a/src/f/q/deep.rs:1"), "{text}");
}

#[test]
fn groups_of_an_import_are_read_at_any_depth() {
    let text = one(&[
        ("lib.rs", "mod x;\nmod y;"),
        (
            "x.rs",
            "use {\n    core::fmt,\n    crate::{\n        y::{self, Y as Other},\n    },\n};",
        ),
        ("y.rs", "pub(crate) use super::x::*;\npub struct Y;"),
    ]);
    assert!(text.contains("x -> y: a/src/x.rs:4"), "{text}");
    assert!(text.contains("y -> x: a/src/y.rs:1"), "{text}");
}

#[test]
fn a_re_export_leads_to_the_child_that_defines_the_item() {
    let cyclic = one(&[
        ("lib.rs", "mod x;\nmod y;\npub use x::inner::Name;"),
        ("x/mod.rs", "pub mod inner;\nuse crate::y;"),
        ("x/inner.rs", "pub struct Name;"),
        ("y.rs", "use crate::Name;"),
    ]);
    assert!(cyclic.contains("y -> x: a/src/y.rs:1"), "{cyclic}");
    let through_all = one(&[
        ("lib.rs", "mod x;\nmod y;\npub use x::*;"),
        ("x.rs", "pub struct Name;\nuse crate::y;"),
        ("y.rs", "use crate::Name;"),
    ]);
    assert!(through_all.contains("cycle of x, y"), "{through_all}");
}

#[test]
fn a_path_through_an_imported_folder_leads_to_its_child() {
    let text = one(&[
        ("lib.rs", "mod f;"),
        ("f/mod.rs", "pub mod p;\npub mod q;"),
        ("f/p.rs", "use crate::f;\nfn p() { f::q::q() }"),
        ("f/q.rs", "pub fn q() { super::p::p() }"),
    ]);
    assert!(text.contains("p -> q: a/src/f/p.rs:2"), "{text}");
}

#[test]
fn modules_inside_a_file_are_children_too() {
    let text = one(&[(
        "lib.rs",
        "mod x { use super::y::Y; pub struct X; }\nmod y { use super::x::X; pub struct Y; }",
    )]);
    assert!(text.contains("cycle of x, y"), "{text}");
}

#[test]
fn parents_tests_and_texts_make_no_edge() {
    let none = found(&[
        (
            "lib.rs",
            "mod x;\nmod y;\nmod z;\nuse x::X;\npub struct Root;",
        ),
        (
            "x.rs",
            "use crate::Root;\nuse super::Root as R;\npub struct X;",
        ),
        (
            "y.rs",
            "//! [`crate::z`]\nuse crate::x::X;\nconst T: &str = \"crate::z::Z\";\n// crate::z::Z\n\
             #[cfg(test)]\nuse crate::z::{Z};\n#[cfg(test)]\nmod tests { use crate::z::Z; }",
        ),
        (
            "z.rs",
            "use crate::y::Y;\npub struct Z;\n#[cfg(test)]\nmod tests;\n\
             #[cfg(all(test, unix))]\nfn only() { crate::x::X; }",
        ),
        ("z/tests.rs", "use crate::y;"),
    ]);
    assert_eq!(none, Vec::<String>::new());
}
