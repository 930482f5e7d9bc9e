//! The allocator. A request allocates a few dozen times, for which the allocator of the standard library
//! takes more instructions, and the module has less code.

use rlsf::GlobalTlsf;

/// With its own way to grow an allocation: the poller reads responses of megabytes.
#[global_allocator]
static ALLOCATOR: GlobalTlsf = GlobalTlsf::new();
