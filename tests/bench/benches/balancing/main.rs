//! One program for all measurements:
//!
//! - without arguments it prints divan's tables;
//! - `figures` compares pairs, alternately, and prints one line of JSON for each figure.

mod build;
mod figures;
mod flip;
mod pair;
mod pick;
mod subset;
mod within;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["figures", ..] => figures::run(),
        _ => divan::main(),
    }
}
