//! The module finds newer callbacks with `dlsym`, so the test programs export their symbols as Envoy does.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-tests=-rdynamic");
}
