//! The hostcalls, one file a group, each a function over the guest's memory and the host's state.
//!
//! A module that imports something else still loads: calling it traps with its name. So a filter
//! that only carries an unused import runs, as it does in Envoy with a stub.

mod buffers;
mod callouts;
mod clock;
mod context;
mod foreign;
mod headers;
mod logging;
mod metrics;
mod properties;
mod queues;
mod shared_data;
mod stream;
mod wasi;

use crate::error::HostError;
use crate::memory::{Fault, Guest, Outcome};
use crate::state::State;
use crate::status::Status;
use wasmi::{Caller, Error, ExternType, Linker, Module};

/// Defines hostcalls: each is counted by its name, then run, and its outcome becomes a status. A test
/// can set the status; then the hostcall does nothing.
macro_rules! hostcalls {
    ($linker:expr, $module:literal, $finish:path: $($name:ident => $function:path, ($($argument:ident: $type:ty),*);)*) => {
        $(
            $linker
                .func_wrap(
                    $module,
                    stringify!($name),
                    |mut caller: Caller<'_, State>, $($argument: $type),*| -> Result<u32, Error> {
                        caller.data_mut().count(stringify!($name));
                        if let Some(answer) = caller.data().answers.get(stringify!($name)) {
                            return Ok(*answer as u32);
                        }
                        $finish($function(&mut Guest::new(caller), $($argument),*))
                    },
                )
                .map_err(HostError::bad_module)?;
        )*
    };
}

/// Defines everything that `module` may import.
pub(crate) fn link(linker: &mut Linker<State>, module: &Module) -> Result<(), HostError> {
    hostcalls! { linker, "env", status:
        proxy_log => logging::log, (level: u32, at: u32, length: u32);
        proxy_get_log_level => logging::get_level, (out: u32);
        proxy_get_current_time_nanoseconds => clock::now, (out: u32);
        proxy_set_tick_period_milliseconds => clock::set_tick_period, (period: u32);

        proxy_get_buffer_bytes => buffers::get, (kind: u32, start: u32, most: u32, address_at: u32, length_at: u32);
        proxy_set_buffer_bytes => buffers::set, (kind: u32, start: u32, size: u32, at: u32, length: u32);

        proxy_get_header_map_pairs => headers::get_pairs, (map: u32, address_at: u32, length_at: u32);
        proxy_set_header_map_pairs => headers::set_pairs, (map: u32, at: u32, length: u32);
        proxy_get_header_map_value => headers::get, (map: u32, at: u32, length: u32, address_at: u32, length_at: u32);
        proxy_remove_header_map_value => headers::remove, (map: u32, at: u32, length: u32);
        proxy_replace_header_map_value => headers::replace, (map: u32, at: u32, length: u32, value_at: u32, value_length: u32);
        proxy_add_header_map_value => headers::add, (map: u32, at: u32, length: u32, value_at: u32, value_length: u32);

        proxy_get_property => properties::get, (at: u32, length: u32, address_at: u32, length_at: u32);
        proxy_set_property => properties::set, (at: u32, length: u32, value_at: u32, value_length: u32);

        proxy_get_shared_data => shared_data::get, (at: u32, length: u32, address_at: u32, length_at: u32, cas_at: u32);
        proxy_set_shared_data => shared_data::set, (at: u32, length: u32, value_at: u32, value_length: u32, cas: u32);
        proxy_register_shared_queue => queues::register, (at: u32, length: u32, out: u32);
        proxy_resolve_shared_queue => queues::resolve, (vm_at: u32, vm_length: u32, at: u32, length: u32, out: u32);
        proxy_enqueue_shared_queue => queues::enqueue, (queue: u32, at: u32, length: u32);
        proxy_dequeue_shared_queue => queues::dequeue, (queue: u32, address_at: u32, length_at: u32);

        proxy_send_local_response => stream::send_local_response, (
            code: u32, details_at: u32, details_length: u32, body_at: u32, body_length: u32,
            headers_at: u32, headers_length: u32, grpc_status: i32
        );
        proxy_continue_stream => stream::keep_going, (kind: u32);
        proxy_close_stream => stream::close, (kind: u32);

        proxy_http_call => callouts::dispatch, (
            cluster_at: u32, cluster_length: u32, headers_at: u32, headers_length: u32,
            body_at: u32, body_length: u32, trailers_at: u32, trailers_length: u32,
            timeout: u32, out: u32
        );

        proxy_define_metric => metrics::define, (kind: u32, at: u32, length: u32, out: u32);
        proxy_get_metric => metrics::get, (id: u32, out: u32);
        proxy_record_metric => metrics::record, (id: u32, value: u64);
        proxy_increment_metric => metrics::increment, (id: u32, offset: i64);

        proxy_set_effective_context => context::set_effective, (id: u32);
        proxy_done => context::done, ();
        proxy_call_foreign_function => foreign::call, (at: u32, length: u32, argument_at: u32, argument_length: u32, address_at: u32, length_at: u32);
    }
    hostcalls! { linker, "wasi_snapshot_preview1", errno:
        random_get => wasi::random_get, (at: u32, length: u32);
        clock_time_get => wasi::clock_time_get, (clock: u32, precision: u64, out: u32);
        environ_sizes_get => wasi::environ_sizes_get, (count_at: u32, size_at: u32);
        environ_get => wasi::environ_get, (addresses_at: u32, texts_at: u32);
    }
    trap_on_the_rest(linker, module)
}

/// Gives every import that is not provided a function that traps with its name.
fn trap_on_the_rest(linker: &mut Linker<State>, module: &Module) -> Result<(), HostError> {
    for import in module.imports() {
        let ExternType::Func(signature) = import.ty() else {
            return Err(HostError::BadModule(format!(
                "it imports {}.{}, which is not a function",
                import.module(),
                import.name()
            )));
        };
        let name = format!("{}.{}", import.module(), import.name());
        let stub = linker.func_new(
            import.module(),
            import.name(),
            signature.clone(),
            move |_, _, _| {
                Err(Error::new(format!(
                    "the guest called {name}, which this host does not provide"
                )))
            },
        );
        // An error means that the function is provided already: that one stays.
        drop(stub);
    }
    Ok(())
}

fn status(outcome: Outcome) -> Result<u32, Error> {
    match outcome {
        Ok(()) => Ok(Status::Ok as u32),
        Err(Fault::Status(status)) => Ok(status as u32),
        Err(Fault::Trap(error)) => Err(error),
    }
}

/// WASI has numbers of its own.
fn errno(outcome: Outcome) -> Result<u32, Error> {
    const EFAULT: u32 = 21;
    const ENOTSUP: u32 = 58;
    match outcome {
        Ok(()) => Ok(0),
        Err(Fault::Status(Status::Unimplemented)) => Ok(ENOTSUP),
        Err(Fault::Status(_)) => Ok(EFAULT),
        Err(Fault::Trap(error)) => Err(error),
    }
}
