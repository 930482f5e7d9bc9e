//! Files that others have put into a folder: symbolic links, and files that are not configurations.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink},
    path::Path,
    process::Command,
    thread,
};

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

/// The permissions of a file.
fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_capture_is_private_and_an_existing_file_keeps_its_permissions() {
    let folder = scratch("modes");
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let target = folder.join("proxy.json");
    let capture = || spillgate(&["capture", &server.url, "-o", target.to_str().unwrap()]);
    assert_eq!(capture().status, 0);
    assert_eq!(mode(&target), 0o600);
    for kept in [0o640, 0o600, 0o644] {
        fs::set_permissions(&target, fs::Permissions::from_mode(kept)).unwrap();
        assert_eq!(capture().status, 0);
        assert_eq!(mode(&target), kept, "{kept:o}");
    }
    // The permissions of a link's target are not those of the capture.
    let link = folder.join("link.json");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o666)).unwrap();
    symlink(&target, &link).unwrap();
    let ran = spillgate(&["capture", &server.url, "-o", link.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(mode(&link), 0o600);
}

#[test]
fn capture_writes_into_pipes_and_devices_and_does_not_replace_them() {
    let folder = scratch("pipes");
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    let ran = spillgate(&["capture", &server.url, "-o", pipe.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().contains("cluster_statuses"));
    assert!(ran.stderr.starts_with("wrote "), "{}", ran.stderr);
}

#[test]
fn links_of_the_system_lead_to_the_open_files_of_the_process() {
    let folder = scratch("open-files");
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    // Not /dev/stdout: where the user may write to /dev, a fault would replace it.
    for name in ["/dev/fd/1", "/proc/self/fd/1"] {
        if !Path::new(name).exists() {
            continue;
        }
        let ran = spillgate(&["capture", &server.url, "-o", name]);
        assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
        assert!(ran.stdout.ends_with("}\n"), "{name}: {}", ran.stdout);
        assert!(fs::symlink_metadata(name).unwrap().is_symlink(), "{name}");
    }
    // A link elsewhere can be planted.
    let link = folder.join("proxy.json");
    symlink("/proc/self/fd/1", &link).unwrap();
    let ran = spillgate(&["capture", &server.url, "-o", link.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let written = fs::symlink_metadata(&link).unwrap();
    assert!(written.is_file(), "{written:?}");
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

#[test]
fn a_folder_follows_links_within_it_only() {
    let folder = scratch("config-links");
    let (config, outside) = (folder.join("config"), folder.join("outside.yaml"));
    let data = config.join("..2026_01_01");
    fs::create_dir_all(&data).unwrap();
    // As Kubernetes mounts a ConfigMap.
    let cds = "static_resources: {clusters: [{name: shop, type: STATIC, load_assignment: {cluster_name: shop}}]}\n";
    fs::write(data.join("envoy.yaml"), cds).unwrap();
    symlink("..2026_01_01", config.join("..data")).unwrap();
    symlink("..data/envoy.yaml", config.join("envoy.yaml")).unwrap();
    let linked = folder.join("linked");
    symlink(&config, &linked).unwrap();
    for name in [&config, &linked] {
        let ran = spillgate(&["split", name.to_str().unwrap()]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stdout.starts_with("shop"), "{}", ran.stdout);
    }

    fs::write(&outside, "PRIVATE: {PRIVATE\n").unwrap();
    for target in [outside.to_str().unwrap(), "../outside.yaml"] {
        let planted = config.join("planted.yaml");
        symlink(target, &planted).unwrap();
        for command in ["split", "lint"] {
            let ran = spillgate(&[command, config.to_str().unwrap()]);
            assert_eq!(ran.status, 2, "{}", ran.stdout);
            assert!(
                ran.stderr.contains("planted.yaml: input/unreadable"),
                "{}",
                ran.stderr
            );
            let all = ran.stdout + &ran.stderr;
            assert!(!all.contains("PRIVATE"), "{all}");
        }
        fs::remove_file(planted).unwrap();
    }
}
