//! Objects of the host whose addresses the module gets.

#![allow(unsafe_code, reason = "the ABI passes addresses")]

use std::{any::TypeId, cell::RefCell, collections::BTreeMap, ops::Deref, ptr::NonNull};

use crate::abi::Address;

thread_local! {
    /// The objects of this thread. A table for all threads would order their accesses, and so hide races
    /// from the thread sanitizer.
    static LENT: RefCell<BTreeMap<usize, TypeId>> = const { RefCell::new(BTreeMap::new()) };
}

/// An object with a fixed address, until it is dropped. Only its own thread may use the address.
pub(crate) struct Lent<T: 'static> {
    at: NonNull<T>,
}

impl<T: 'static> Lent<T> {
    pub(crate) fn new(object: T) -> Self {
        let at = NonNull::from(Box::leak(Box::new(object)));
        LENT.with_borrow_mut(|all| all.insert(at.as_ptr() as usize, TypeId::of::<T>()));
        Self { at }
    }

    /// The address for the module.
    pub(crate) const fn address(&self) -> Address {
        self.at.as_ptr().cast()
    }
}

impl<T: 'static> Deref for Lent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the object exists until `drop`, and is only shared.
        unsafe { self.at.as_ref() }
    }
}

impl<T: 'static> Drop for Lent<T> {
    fn drop(&mut self) {
        LENT.with_borrow_mut(|all| all.remove(&(self.at.as_ptr() as usize)));
        // SAFETY: `new` created the box, and the table no longer permits its address.
        drop(unsafe { Box::from_raw(self.at.as_ptr()) });
    }
}

/// The object at an address that the module passes to a callback.
///
/// # Panics
/// If this thread has no such object now: the module kept an address too long, or passed it to another
/// thread. A panic in a callback ends the test program.
pub(crate) fn found<'a, T: 'static>(address: Address) -> &'a T {
    let known = LENT.with_borrow(|all| all.get(&(address as usize)).copied());
    let wanted = std::any::type_name::<T>();
    assert_eq!(
        known,
        Some(TypeId::of::<T>()),
        "the module passes an address that is not a {wanted} of this thread"
    );
    // SAFETY: the object exists, has this type, and is only shared.
    unsafe { &*address.cast::<T>() }
}
