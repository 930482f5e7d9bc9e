//! The hooks of the load-balancing policy.

use core::ptr;

use spillgate_config::undecided::UndecidedRequests;

use super::{Own, destroy, given, guard::guarded};
use crate::{
    abi::{Address, BalancerHandle, Buffer, ChoiceHandle},
    policy::{self, Policy},
};

/// The configuration of a policy; the filter's configuration describes its cluster.
struct PolicyConfig {
    undecided: UndecidedRequests,
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_config_new(
    _envoy: Address,
    _name: Buffer,
    config: Buffer,
) -> Own {
    guarded(ptr::null(), || {
        // SAFETY: the text belongs to this hook.
        let text = unsafe { config.bytes() };
        policy::read(text).map_or(ptr::null(), |undecided| given(PolicyConfig { undecided }))
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_config_destroy(config: Own) {
    // SAFETY: `config_new` created it, and Envoy destroys it once.
    guarded((), || unsafe { destroy::<PolicyConfig>(config) });
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_new(config: Own, envoy: Address) -> Own {
    guarded(ptr::null(), || {
        // SAFETY: `config_new` created the configuration. The load balancer belongs to this hook, and exists
        // until its `destroy`, which the policy learns of.
        let (config, envoy) =
            unsafe { (&*config.cast::<PolicyConfig>(), BalancerHandle::new(envoy)) };
        let policy = Policy::new(&envoy, config.undecided);
        policy.register(&envoy);
        given(policy)
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_on_host_membership_update(
    envoy: Address,
    policy: Own,
    _added: usize,
    _removed: usize,
) {
    guarded((), || {
        // SAFETY: `lb_new` created the policy, and the load balancer belongs to this hook.
        let (policy, envoy) = unsafe { (&*policy.cast::<Policy>(), BalancerHandle::new(envoy)) };
        policy.on_update(&envoy);
    });
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_destroy(policy: Own) {
    guarded((), || {
        // SAFETY: `lb_new` created it, and Envoy destroys it once.
        unsafe {
            (*policy.cast::<Policy>()).on_destroy();
            destroy::<Policy>(policy);
        }
    });
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_choose_host(
    envoy: Address,
    policy: Own,
    context: Address,
    priority: *mut u32,
    index: *mut u32,
) -> bool {
    guarded(false, || {
        // SAFETY: `lb_new` created the policy; load balancer and context belong to this hook.
        let (policy, envoy, choice) = unsafe {
            let policy = &*policy.cast::<Policy>();
            (
                policy,
                BalancerHandle::new(envoy),
                ChoiceHandle::new(context),
            )
        };
        let Some(place) = policy.choose(&envoy, choice.as_ref()) else {
            return false;
        };
        // SAFETY: Envoy passes the addresses of two variables of its own.
        unsafe { (*priority, *index) = (place.priority, place.index) };
        true
    })
}
