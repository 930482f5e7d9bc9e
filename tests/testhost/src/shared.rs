//! What the workers of one Envoy share.

use crate::Status;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared data and queues of one `vm_id`. Give clones of it to several hosts and they are the
/// workers of one Envoy.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    data: BTreeMap<String, (Vec<u8>, u32)>,
    /// The id of a queue is its place here, plus one.
    queues: Vec<(String, VecDeque<Vec<u8>>)>,
    last_cas: u32,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A test that panicked while it held the lock has failed anyway; the data is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value under `key`.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        self.lock().data.get(key).map(|(value, _)| value.clone())
    }

    /// Puts a value there, as another worker would.
    pub fn put(&self, key: &str, value: impl AsRef<[u8]>) {
        self.lock().put(key, value.as_ref());
    }

    pub(crate) fn get(&self, key: &str) -> Result<(Vec<u8>, u32), Status> {
        self.lock().data.get(key).cloned().ok_or(Status::NotFound)
    }

    /// `cas` 0 overwrites whatever is there.
    pub(crate) fn set(&self, key: &str, value: &[u8], cas: u32) -> Result<(), Status> {
        let mut inner = self.lock();
        match inner.data.get(key) {
            Some((_, have)) if cas != 0 && *have != cas => Err(Status::CasMismatch),
            _ => {
                inner.put(key, value);
                Ok(())
            }
        }
    }

    pub(crate) fn register(&self, name: &str) -> u32 {
        let mut inner = self.lock();
        if inner.position(name).is_none() {
            inner.queues.push((name.to_owned(), VecDeque::new()));
        }
        inner.position(name).unwrap_or(0)
    }

    pub(crate) fn resolve(&self, name: &str) -> Result<u32, Status> {
        self.lock().position(name).ok_or(Status::NotFound)
    }

    pub(crate) fn enqueue(&self, id: u32, value: Vec<u8>) -> Result<(), Status> {
        self.lock().queue(id)?.push_back(value);
        Ok(())
    }

    pub(crate) fn dequeue(&self, id: u32) -> Result<Vec<u8>, Status> {
        self.lock().queue(id)?.pop_front().ok_or(Status::Empty)
    }
}

impl Inner {
    fn put(&mut self, key: &str, value: &[u8]) {
        self.last_cas += 1;
        self.data
            .insert(key.to_owned(), (value.to_vec(), self.last_cas));
    }

    fn position(&self, name: &str) -> Option<u32> {
        let index = self.queues.iter().position(|(have, _)| have == name)?;
        u32::try_from(index + 1).ok()
    }

    fn queue(&mut self, id: u32) -> Result<&mut VecDeque<Vec<u8>>, Status> {
        let index = (id as usize).checked_sub(1).ok_or(Status::NotFound)?;
        let queue = self.queues.get_mut(index).ok_or(Status::NotFound)?;
        Ok(&mut queue.1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shared, Status};

    #[test]
    fn a_stale_cas_is_refused_and_zero_overwrites() {
        let shared = Shared::default();
        shared.put("k", "1");
        let (_, cas) = shared.get("k").unwrap();
        shared.put("k", "2");
        assert_eq!(shared.set("k", b"3", cas), Err(Status::CasMismatch));
        assert_eq!(shared.value("k").as_deref(), Some(&b"2"[..]));
        assert_eq!(shared.set("k", b"3", 0), Ok(()));
        assert_eq!(shared.value("k").as_deref(), Some(&b"3"[..]));
    }

    #[test]
    fn a_queue_is_first_in_first_out_and_one_a_name() {
        let shared = Shared::default();
        let id = shared.register("q");
        assert_eq!(shared.register("q"), id);
        shared.enqueue(id, vec![1]).unwrap();
        shared.enqueue(id, vec![2]).unwrap();
        assert_eq!(shared.dequeue(id), Ok(vec![1]));
        assert_eq!(shared.dequeue(id), Ok(vec![2]));
        assert_eq!(shared.dequeue(id), Err(Status::Empty));
        assert_eq!(shared.dequeue(id + 1), Err(Status::NotFound));
        assert_eq!(shared.dequeue(0), Err(Status::NotFound));
    }
}
