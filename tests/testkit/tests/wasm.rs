//! This machine and WebAssembly give the same answers, byte for byte, and each of them every time.

use std::env;

use anyhow::{Context as _, Result, ensure};
use spillgate_testkit::{amount, figure, twins::both};
use wasmi::{Engine, Linker, Memory, Module, Store, TypedFunc};

/// How many configurations are answered on both, in short and in full form.
const CONFIGURATIONS: [u64; 2] = [60, 10_000];
/// Seeds whose answers are compared come after these of other tests.
const FIRST: u64 = 1 << 32;

/// How often the same seed is answered, in short and in full form.
const REPEATED: [usize; 2] = [20, 1_000];

/// The commands and the filter's decisions for WebAssembly, in an interpreter.
struct Twin {
    store: Store<()>,
    memory: Memory,
    ask: TypedFunc<u64, u32>,
    place: TypedFunc<(), u32>,
}

impl Twin {
    fn load() -> Result<Self> {
        let path = env::var_os("SPILLGATE_TWIN_WASM")
            .context("SPILLGATE_TWIN_WASM is not set; `cargo xtask test` builds the module")?;
        let engine = Engine::default();
        let module = Module::new(&engine, std::fs::read(path)?)?;
        let mut store = Store::new(&engine, ());
        // It imports nothing: no clock, no chance, no file.
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
        Ok(Self {
            memory: instance.get_memory(&store, "memory").context("memory")?,
            ask: instance.get_typed_func(&store, "answer_seed")?,
            place: instance.get_typed_func(&store, "answer_place")?,
            store,
        })
    }

    fn both(&mut self, seed: u64) -> Result<String> {
        let length = self.ask.call(&mut self.store, seed)? as usize;
        let at = self.place.call(&mut self.store, ())? as usize;
        let answer = self
            .memory
            .data(&self.store)
            .get(at..at + length)
            .context("an answer outside the memory")?;
        Ok(String::from_utf8_lossy(answer).into_owned())
    }
}

#[test]
fn answers_are_the_same_in_webassembly() -> Result<()> {
    let [short, full] = CONFIGURATIONS;
    let number = amount(short, full);
    let mut twin = Twin::load()?;
    let mut bytes = 0;
    for seed in FIRST..FIRST + number {
        let (native, there) = (both(seed), twin.both(seed)?);
        let differs = native.lines().zip(there.lines()).find(|(a, b)| a != b);
        ensure!(native == there, "seed {seed}: {differs:?}");
        bytes += native.len() as u64;
    }
    ensure!(
        bytes > 100 * number,
        "{bytes} bytes are no {number} answers"
    );
    figure(format_args!(
        "{number} scenarios, {bytes} bytes of answers, 0 differences"
    ));
    Ok(())
}

#[test]
fn the_same_seed_gives_the_same_answer_every_time() -> Result<()> {
    let [short, full] = REPEATED;
    let repeated = amount(short, full);
    let mut twin = Twin::load()?;
    let first = both(FIRST);
    for time in 0..repeated {
        ensure!(both(FIRST) == first, "natively, time {time}");
        ensure!(twin.both(FIRST)? == first, "in WebAssembly, time {time}");
    }
    figure(format_args!(
        "one seed {repeated} times natively and in WebAssembly, 0 differences"
    ));
    Ok(())
}
