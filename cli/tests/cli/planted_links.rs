//! Files that others have put into a folder: symbolic links, and files that are not configurations.
#![cfg(unix)]

use std::{fs, os::unix::fs::symlink};

use spillgate_testkit::CannedServer;

use crate::{
    canned::{answers, clusters},
    run::{Ran, scratch, spillgate},
};

#[test]
fn capture_writes_through_no_link() {
    let folder = scratch("planted");
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let (target, victim) = (folder.join("proxy.json"), folder.join("victim"));
    fs::write(&victim, "kept").unwrap();
    symlink(&victim, &target).unwrap();
    symlink(&victim, folder.join("proxy.json.new")).unwrap();
    for run in 0..2 {
        let ran = spillgate(&["capture", &server.url, "-o", target.to_str().unwrap()]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "kept", "run {run}");
        let written = fs::symlink_metadata(&target).unwrap();
        assert!(written.is_file(), "{written:?}");
    }
    assert!(
        fs::read_to_string(&target)
            .unwrap()
            .contains("cluster_statuses")
    );
    let mut left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["proxy.json", "proxy.json.new", "victim"]);
}

#[test]
fn a_capture_that_cannot_replace_its_file_leaves_nothing() {
    let folder = scratch("unwritable");
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    // A folder cannot be replaced by a file.
    fs::create_dir(folder.join("proxy.json")).unwrap();
    let target = folder.join("proxy.json");
    let ran = spillgate(&["capture", &server.url, "-o", target.to_str().unwrap()]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

/// `split --root` of a bootstrap that names this file.
fn named(root: &std::path::Path, path: &str) -> Ran {
    let bootstrap = root.join("envoy.yaml");
    let text =
        format!("dynamic_resources: {{cds_config: {{path_config_source: {{path: {path}}}}}}}\n");
    fs::write(&bootstrap, text).unwrap();
    let root = root.to_str().unwrap();
    spillgate(&["split", bootstrap.to_str().unwrap(), "--root", root])
}

#[test]
fn root_does_not_leave_its_folder() {
    let folder = scratch("root-links");
    let (root, outside) = (folder.join("inside"), folder.join("outside"));
    for folder in [&root, &outside, &root.join("data")] {
        fs::create_dir(folder).unwrap();
    }
    let cds = "resources:\n- {'@type': t/envoy.config.cluster.v3.Cluster, name: PRIVATE, type: STATIC, \
        load_assignment: {cluster_name: PRIVATE}}\n";
    fs::write(outside.join("cds.yaml"), cds).unwrap();
    symlink(outside.join("cds.yaml"), root.join("file.yaml")).unwrap();
    symlink("../outside/cds.yaml", root.join("relative.yaml")).unwrap();
    symlink(&outside, root.join("linked")).unwrap();
    for path in [
        "/etc/file.yaml",
        "/etc/relative.yaml",
        "/linked/cds.yaml",
        "/inside/../../outside/cds.yaml",
    ] {
        let ran = named(&root, path);
        assert_eq!(ran.status, 2, "{path}: {}", ran.stdout);
        assert!(ran.stderr.contains("input/named-file"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("PRIVATE"), "{}", ran.stderr);
    }
    // Links within the folder, as Kubernetes mounts a ConfigMap.
    fs::write(root.join("data/cds.yaml"), cds.replace("PRIVATE", "shop")).unwrap();
    symlink("data/cds.yaml", root.join("cds.yaml")).unwrap();
    let ran = named(&root, "/etc/envoy/cds.yaml");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("shop"), "{}", ran.stdout);
}

#[test]
fn errors_about_named_files_do_not_quote_what_is_no_configuration() {
    let root = scratch("root-foreign");
    for (number, text) in [
        "PASSWORD=PRIVATE\n",
        "token: PRIVATE\n",
        "a: [PRIVATE\n",
        "PRIVATE: {PRIVATE: PRIVATE}\n",
        "resources: {password: PRIVATE}\n",
        "resources: PRIVATE\n",
        "resources: [PRIVATE]\n",
        "resources: [{password: PRIVATE}]\n",
        "resources: [{'@type': PRIVATE, password: PRIVATE}]\n",
        "resources: [{'@type': t/envoy.config.cluster.v3.Cluster, name: a}, PRIVATE]\n",
        "- PRIVATE\n",
        "root:PRIVATE:0:0:root:/root:/bin/bash\n",
        "\u{0}PRIVATE",
        "",
    ]
    .into_iter()
    .enumerate()
    {
        for ending in ["yaml", "json", "pb_text"] {
            let name = format!("foreign{number}.{ending}");
            fs::write(root.join(&name), text).unwrap();
            let ran = named(&root, &format!("/etc/{name}"));
            assert_eq!(ran.status, 2, "{text}: {}", ran.stdout);
            assert!(!ran.stderr.contains("PRIVATE"), "{text:?}: {}", ran.stderr);
        }
    }
}
