//! The instantiated module: its callbacks, and the handling of a trap.

use crate::abi;
use crate::error::HostError;
use crate::log::GuestLogLevel;
use crate::state::State;
use wasmi::{
    CompilationMode, Config, Engine, Extern, Instance, Linker, Module, Store, TypedFunc, Val,
};

/// What one callback may burn at first before it counts as an endless loop. About one unit an
/// instruction, so some seconds of interpretation.
const FUEL_A_CALL: u64 = 2_000_000_000;

/// The module, its memory, and the state that its hostcalls see.
pub(crate) struct Vm {
    pub(crate) store: Store<State>,
    instance: Instance,
    /// The callback that trapped.
    dead_since: Option<String>,
    /// Fuel burnt since it was last taken.
    burnt: u64,
    /// What one callback may burn.
    pub(crate) fuel_a_call: u64,
}

impl Vm {
    pub(crate) fn load(wasm: &[u8], state: State) -> Result<Self, HostError> {
        let mut config = Config::default();
        config.consume_fuel(true);
        // Translated ahead of time, because translation burns fuel: a request then costs the same
        // whatever ran before it.
        config.compilation_mode(CompilationMode::Eager);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, wasm).map_err(HostError::bad_module)?;
        let mut linker = Linker::new(&engine);
        abi::link(&mut linker, &module)?;
        let mut store = Store::new(&engine, state);
        store.set_fuel(FUEL_A_CALL).map_err(HostError::bad_module)?;
        let instance = linker
            .instantiate_and_start(&mut store, &module)
            .map_err(HostError::bad_module)?;

        let missing = |what| HostError::MissingExport {
            what,
            found: exported_names(&module),
        };
        let memory = instance
            .get_memory(&store, "memory")
            .ok_or_else(|| missing("memory"))?;
        let allocate = ["proxy_on_memory_allocate", "malloc"]
            .iter()
            .find_map(|name| typed::<u32, u32>(&instance, &store, name))
            .ok_or_else(|| missing("allocator (proxy_on_memory_allocate or malloc)"))?;
        if instance
            .get_export(&store, "proxy_abi_version_0_2_1")
            .is_none()
        {
            return Err(missing("proxy_abi_version_0_2_1"));
        }
        store.data_mut().memory = Some(memory);
        store.data_mut().allocate = Some(allocate);

        let mut vm = Self {
            store,
            instance,
            dead_since: None,
            burnt: 0,
            fuel_a_call: FUEL_A_CALL,
        };
        if vm.instance.get_func(&vm.store, "_initialize").is_some() {
            vm.call("_initialize", 0, &[])?;
        } else {
            vm.call("_start", 0, &[])?;
        }
        Ok(vm)
    }

    /// Calls a callback for a context; `None` when the module does not export it, which is allowed
    /// for each of them. A trap makes the VM unusable for all contexts.
    pub(crate) fn call(
        &mut self,
        name: &str,
        context: u32,
        arguments: &[u32],
    ) -> Result<Option<u32>, HostError> {
        if let Some(since) = &self.dead_since {
            let since = since.clone();
            return Err(HostError::Dead { since });
        }
        let Some(function) = self.instance.get_func(&self.store, name) else {
            return Ok(None);
        };
        let arguments: Vec<Val> = arguments
            .iter()
            .map(|argument| Val::I32(argument.cast_signed()))
            .collect();
        let mut results = vec![Val::I32(0); function.ty(&self.store).results().len()];
        let first_log = self.store.data().logs.len();
        self.store.data_mut().effective_context = context;
        self.store
            .set_fuel(self.fuel_a_call)
            .map_err(HostError::bad_module)?;
        let outcome = function.call(&mut self.store, &arguments, &mut results);
        let left = self.store.get_fuel().unwrap_or(0);
        self.burnt += self.fuel_a_call.saturating_sub(left);
        if let Err(error) = outcome {
            self.dead_since = Some(name.to_owned());
            return Err(HostError::Trap {
                during: name.to_owned(),
                message: error.to_string(),
                last_words: self.critical_lines(first_log),
            });
        }
        Ok(Some(match results.first() {
            Some(Val::I32(value)) => value.cast_unsigned(),
            _ => 0,
        }))
    }

    fn critical_lines(&self, first: usize) -> Vec<String> {
        self.store.data().logs[first..]
            .iter()
            .filter(|line| line.level == GuestLogLevel::Critical)
            .map(|line| line.message.clone())
            .collect()
    }

    pub(crate) fn state(&self) -> &State {
        self.store.data()
    }

    pub(crate) fn state_mut(&mut self) -> &mut State {
        self.store.data_mut()
    }

    pub(crate) fn take_burnt(&mut self) -> u64 {
        std::mem::take(&mut self.burnt)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        match self.instance.get_export(&self.store, "memory") {
            Some(Extern::Memory(memory)) => memory.data_size(&self.store),
            _ => 0,
        }
    }
}

fn typed<P: wasmi::WasmParams, R: wasmi::WasmResults>(
    instance: &Instance,
    store: &Store<State>,
    name: &str,
) -> Option<TypedFunc<P, R>> {
    instance.get_typed_func(store, name).ok()
}

fn exported_names(module: &Module) -> String {
    let names: Vec<_> = module.exports().map(|export| export.name()).collect();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}
