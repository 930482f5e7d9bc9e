//! This machine and WebAssembly give the same answers, byte for byte.

use std::env;

use anyhow::{Context as _, Result, ensure};
use spillgate_testkit::twins::answer;
use wasmi::{Engine, Linker, Module, Store};

/// How many configurations are answered on both; `SPILLGATE_TWINS` sets another number.
const CONFIGURATIONS: u64 = 60;
/// Seeds whose answers are compared come after these of other tests.
const FIRST: u64 = 1 << 32;

#[test]
fn answers_are_the_same_in_webassembly() -> Result<()> {
    let path = env::var_os("SPILLGATE_TWIN_WASM")
        .context("SPILLGATE_TWIN_WASM is not set; `cargo xtask test` builds the module")?;
    let number = match env::var("SPILLGATE_TWINS") {
        Ok(number) => number.parse()?,
        Err(_) => CONFIGURATIONS,
    };
    let engine = Engine::default();
    let module = Module::new(&engine, std::fs::read(path)?)?;
    let mut store = Store::new(&engine, ());
    // It imports nothing: no clock, no chance, no file.
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    let memory = instance.get_memory(&store, "memory").context("memory")?;
    let ask = instance.get_typed_func::<u64, u32>(&store, "answer_seed")?;
    let place = instance.get_typed_func::<(), u32>(&store, "answer_place")?;
    let mut bytes = 0;
    for seed in FIRST..FIRST + number {
        let native = answer(seed);
        let length = ask.call(&mut store, seed)? as usize;
        let at = place.call(&mut store, ())? as usize;
        let there = memory.data(&store).get(at..at + length);
        let there = String::from_utf8_lossy(there.context("an answer outside the memory")?);
        let differs = native.lines().zip(there.lines()).find(|(a, b)| a != b);
        ensure!(native == there, "seed {seed}: {differs:?}");
        bytes += length as u64;
    }
    ensure!(
        bytes > 100 * number,
        "{bytes} bytes are no {number} answers"
    );
    println!("{number} configurations, {bytes} bytes of answers");
    Ok(())
}
