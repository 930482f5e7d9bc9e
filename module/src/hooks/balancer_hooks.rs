//! The hooks of the load-balancing policy.

use core::ptr;

use spillgate_config::undecided::UndecidedRequests;

use super::{Own, destroy, given, guarded, taken};
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
    guarded("lb_config_new", ptr::null(), || {
        // SAFETY: the text belongs to this hook.
        let text = unsafe { config.bytes() };
        policy::read(text).map_or(ptr::null(), |undecided| given(PolicyConfig { undecided }))
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_config_destroy(config: Own) {
    // SAFETY: `config_new` created it, and Envoy destroys it once.
    unsafe { destroy::<PolicyConfig>("lb_config_destroy", config) }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_new(config: Own, envoy: Address) -> Own {
    let create = || {
        // SAFETY: `config_new` created the configuration. The load balancer belongs to this hook, and exists
        // until its `destroy`, which the policy learns of.
        let (config, envoy) =
            unsafe { (taken::<PolicyConfig>(config), BalancerHandle::new(envoy)) };
        let Some(config) = config else {
            return ptr::null();
        };
        let policy = Policy::new(&envoy, config.undecided);
        policy.register(&envoy);
        given(policy)
    };
    let policy = guarded("lb_new", ptr::null(), create);
    if policy.is_null() {
        // Without a policy, this thread refuses all requests to the cluster until the cluster changes.
        guarded("lb_new", ptr::null(), create)
    } else {
        policy
    }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_on_host_membership_update(
    _envoy: Address,
    policy: Own,
    _added: usize,
    _removed: usize,
) {
    guarded("lb_on_host_membership_update", (), || {
        // SAFETY: `lb_new` created the policy.
        let policy = unsafe { taken::<Policy>(policy) };
        if let Some(policy) = policy {
            policy.on_update();
        }
    });
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_destroy(policy: Own) {
    // SAFETY: `lb_new` created it, and Envoy destroys it once.
    unsafe { destroy::<Policy>("lb_destroy", policy) }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_lb_choose_host(
    envoy: Address,
    policy: Own,
    context: Address,
    priority: *mut u32,
    index: *mut u32,
) -> bool {
    guarded("lb_choose_host", false, || {
        // SAFETY: `lb_new` created the policy; load balancer and context belong to this hook.
        let (policy, envoy, choice) = unsafe {
            (
                taken::<Policy>(policy),
                BalancerHandle::new(envoy),
                ChoiceHandle::new(context),
            )
        };
        let place = policy.and_then(|policy| policy.choose(&envoy, choice.as_ref()));
        let Some(place) = place else {
            return false;
        };
        // SAFETY: Envoy passes the addresses of two variables of its own.
        unsafe { (*priority, *index) = (place.priority, place.index) };
        true
    })
}
