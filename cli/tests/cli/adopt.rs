//! `adopt`: files in, a diff or a file out, and what it says about the result.

use std::{fs, path::PathBuf};

use spillgate_testkit::repository;

use crate::run::{adopt_at as adopt, scratch};

/// The bootstraps of the tests of `spillgate-adopt`.
fn bootstrap(name: &str) -> String {
    let folder = repository().join("crates/adopt/tests/bootstraps");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A new folder with a bootstrap.
fn folder(name: &str) -> PathBuf {
    let folder = scratch("adopt");
    fs::write(folder.join("envoy.yaml"), bootstrap(name)).unwrap();
    folder
}

#[test]
fn the_result_is_a_diff_whose_way_back_has_the_same_lines() {
    let folder = folder("weighted.yaml");
    let there = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    assert_eq!(there.status, 0, "{}", there.stderr);
    there.assert_output_starts("--- a/envoy.yaml\n+++ b/envoy.yaml\n");
    there.assert_error_has("compared 1 request before and after, as given and with 3 losses of hosts: all answers are equal");
    let back = adopt(&folder, &["envoy.yaml", "--form", "wasm", "--undo"]);
    let count = |diff: &str, mark| diff.lines().filter(|line| line.starts_with(mark)).count();
    assert_eq!(count(&there.stdout, '+'), count(&back.stdout, '-'));
    assert_eq!(count(&there.stdout, '-'), count(&back.stdout, '+'));
}

#[test]
fn a_diff_for_another_program_is_exact() {
    let folder = folder("weighted.yaml");
    // The joiner of an emoji has no width; a terminal shows it as an escape.
    let text =
        bootstrap("weighted.yaml").replace("# 90/10 canary", "# 90/10 \u{1f469}\u{200d}\u{1f52c}");
    fs::write(folder.join("envoy.yaml"), text.replace('\n', "\r\n")).unwrap();
    let ran = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains('\u{200d}') && !ran.stdout.contains("\\u"),
        "{}",
        ran.stdout
    );
    let lines = ran
        .stdout
        .split('\n')
        .filter(|line| line.starts_with(['+', '-', ' ']));
    // The first two name the file.
    let mut lines = lines.skip(2).peekable();
    assert!(lines.peek().is_some());
    assert!(lines.all(|line| line.ends_with('\r')), "{}", ran.stdout);
}

#[test]
fn filters_that_are_not_modeled_are_named() {
    let folder = folder("weighted.yaml");
    let router = "          - name: envoy.filters.http.router";
    let lua = "          - {name: lua, typed_config: {\"@type\": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua}}\n";
    let text = bootstrap("weighted.yaml").replacen(router, &format!("{lua}{router}"), 1);
    fs::write(folder.join("envoy.yaml"), text).unwrap();
    let ran = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    ran.assert_error_has("not compared: HTTP filter lua is not modeled");
}

#[test]
fn writing_keeps_permissions_and_follows_no_link() {
    let folder = folder("weighted.yaml");
    let file = folder.join("envoy.yaml");
    let write = |to: &str| {
        let ran = adopt(&folder, &["envoy.yaml", "--form", "wasm", "--write", to]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let mode = |name: &str| {
            let data = fs::symlink_metadata(folder.join(name)).unwrap();
            data.permissions().mode() & 0o777
        };
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(folder.join("victim"), "kept").unwrap();
        symlink(folder.join("victim"), folder.join("steered.yaml")).unwrap();
        write("steered.yaml");
        assert_eq!(fs::read_to_string(folder.join("victim")).unwrap(), "kept");
        // The result has the secrets of the original.
        assert_eq!(mode("steered.yaml"), 0o600);
        write("envoy.yaml");
        assert_eq!(mode("envoy.yaml"), 0o600);
    }
    write("envoy.yaml");
    let again = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    assert_eq!(again.stdout, "");
    again.assert_error_has("nothing to change");
    let back = adopt(&folder, &["envoy.yaml", "--form", "wasm", "--undo"]);
    assert_eq!(back.status, 0, "{}", back.stderr);
    back.assert_output_has("\n+                  weighted_clusters:");
    let other = adopt(
        &folder,
        &["envoy.yaml", "--form", "wasm", "--sessions", "cookie"],
    );
    assert_eq!(other.status, 2);
    other.assert_error_has("--sessions cookie");
}

#[test]
fn sessions_print_the_command_for_keys_and_no_key() {
    let folder = folder("weighted.yaml");
    for carrier in ["cookie", "header", "envelope"] {
        let ran = adopt(
            &folder,
            &["envoy.yaml", "--form", "wasm", "--sessions", carrier],
        );
        ran.assert_error_has("spillgate token keygen");
        ran.assert_output_has("host_env_keys: [SPILLGATE_KEYS]");
        assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
    }
}

#[test]
fn differences_are_shown_with_the_request_the_loss_and_the_reason() {
    let folder = folder("tenants.yaml");
    let ran = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    // Without the header, with an unknown value, and with both tenants.
    ran.assert_error_has("compared 4 requests before and after, as given and with 1 loss of hosts: all answers are equal");
    let ran = adopt(
        &folder,
        &["envoy.yaml", "--form", "wasm", "--chain", "tenant"],
    );
    let line = "GET localhost/ x-tenant: a, all hosts of shop lost: 127.0.1.1:28090 100.0 % before, 0.0 % now; \
        503 without a host 0.0 % before, 100.0 % now (isolation: ";
    ran.assert_error_has(line);
}

#[test]
fn hosts_that_are_not_known_are_not_compared() {
    let folder = folder("weighted.yaml");
    let text = bootstrap("weighted.yaml");
    let source = "    eds_cluster_config: {eds_config: {path_config_source: {path: eds.yaml}}}\n";
    let (before, rest) = text.split_once("    load_assignment: &blue\n").unwrap();
    let (_, after) = rest.split_once("  - name: shop-green\n    type").unwrap();
    let eds = format!("{before}{source}  - name: shop-green\n    type{after}").replacen(
        "    type: STATIC",
        "    type: EDS",
        1,
    );
    fs::write(folder.join("envoy.yaml"), eds).unwrap();
    let ran = adopt(&folder, &["envoy.yaml", "--form", "wasm"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.assert_error_has("not compared: shop-blue: hosts are not known");
}

#[test]
fn a_folder_has_one_part_of_the_diff_for_each_file() {
    let folder = scratch("adopt");
    for name in ["1-envoy.yaml", "2-lds.yaml", "3-cds.yaml"] {
        let text = bootstrap(&format!("foreign/dynamic-fs/{name}"));
        fs::write(folder.join(name), text).unwrap();
    }
    let ran = adopt(&folder, &[".", "--form", "wasm"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("\n+++ b/").count(), 3, "{}", ran.stdout);
    let ran = adopt(&folder, &[".", "--form", "wasm", "--write", "all.yaml"]);
    ran.assert_error_has("--write: CONFIG is several files");
    let ran = adopt(&folder, &["1-envoy.yaml", "2-lds.yaml", "--form", "wasm"]);
    assert!(
        ran.stderr
            .starts_with("2-lds.yaml:25:15: adopt/not-carried-over: resources[0]."),
        "{}",
        ran.stderr
    );
}

#[test]
fn objects_of_control_planes_are_refused_with_the_way_there() {
    let folder = scratch("adopt");
    let object = "type: Mesh\nname: default\n---\napiVersion: kuma.io/v1alpha1\nkind: MeshProxyPatch\nmetadata: {name: a}\n---\n\
        apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyPatchPolicy\nmetadata: {name: b}\n";
    fs::write(folder.join("mesh.yaml"), object).unwrap();
    let ran = adopt(&folder, &["mesh.yaml", "--form", "wasm"]);
    assert_eq!(ran.status, 2);
    ran.assert_error_has("found MeshProxyPatch, expected the filter in a MeshProxyPatch (spillgate explain-code adopt/");
    ran.assert_error_has("the filter in an EnvoyExtensionPolicy (spillgate explain-code adopt/");
}
