//! With the feature `ui`: a table of the files of the built playground, which `spillgate ui` serves.

use std::{
    env, fs,
    io::{Error, Result},
    path::{Path, PathBuf},
};

/// The variable with the folder of the built playground.
const FOLDER: &str = "SPILLGATE_WWW";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_UI").is_none() {
        return Ok(());
    }
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let folder = match env::var_os(FOLDER) {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/spillgate/www"),
    };
    if !folder.join("index.html").is_file() {
        let folder = folder.display();
        println!(
            "cargo::error=the feature `ui` embeds the built playground, and {folder} has no index.html: \
             run `cargo xtask build`, or set {FOLDER}"
        );
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    gather(&folder.canonicalize()?, "", &mut files)?;
    files.sort();
    let rows = files
        .iter()
        .map(|(name, path)| format!("    ({name:?}, include_bytes!({path:?})),\n"));
    let table = format!("&[\n{}]\n", rows.collect::<String>());
    let out = env::var_os("OUT_DIR").ok_or_else(|| Error::other("no OUT_DIR"))?;
    fs::write(Path::new(&out).join("playground.rs"), table)
}

/// The files of a folder and of its folders, by their paths in it.
fn gather(folder: &Path, before: &str, files: &mut Vec<(String, PathBuf)>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Error::other("a file name that is not UTF-8"))?;
        let name = format!("{before}{name}");
        if path.is_dir() {
            gather(&path, &format!("{name}/"), files)?;
        } else {
            files.push((name, path));
        }
    }
    Ok(())
}
