use spillgate_config::envoy::{self, Format, Options};
use std::{fs, path::PathBuf};
#[test]
fn show() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/lint");
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    for f in files {
        let text = fs::read_to_string(&f).unwrap();
        let name = f.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            continue;
        }
        println!("== {name}");
        match envoy::read_for_lint(&text, Format::guess(&name, &text), &Options::default()) {
            Ok(c) => {
                for x in spillgate_lint::lint(&c) {
                    println!(
                        "  {} {} {}:{}\n      {}\n      fix: {}",
                        x.severity,
                        x.rule,
                        x.path,
                        x.position,
                        x.message(),
                        x.fix
                    );
                    for e in &x.plan {
                        println!("      plan {} = {:?}", e.path, e.value);
                    }
                }
            }
            Err(e) => {
                for d in e {
                    println!("  !! {d}");
                }
            }
        }
    }
}
