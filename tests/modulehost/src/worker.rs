//! Worker threads: the main thread posts work to them, as in Envoy.

use std::{
    collections::BTreeMap,
    sync::mpsc::{self, SyncSender},
    thread::{self, JoinHandle},
};

use crate::{
    balancer::{Balancer, ClusterNumber},
    stream::HttpStream,
};

/// The objects of a worker.
#[derive(Default)]
pub struct WorkerState {
    /// The load balancers of its clusters.
    pub balancers: BTreeMap<ClusterNumber, Balancer>,
    /// Requests that stay open between two pieces of work.
    pub streams: Vec<HttpStream>,
}

type Work = Box<dyn FnOnce(&mut WorkerState) + Send>;

/// A worker thread, until it is dropped.
pub struct WorkerThread {
    work: Option<SyncSender<Work>>,
    thread: Option<JoinHandle<()>>,
}

impl WorkerThread {
    pub(crate) fn start() -> Self {
        /// More work makes the main thread wait, so that both make progress.
        const WAITING: usize = 8;
        let (work, received) = mpsc::sync_channel::<Work>(WAITING);
        let run = move || {
            let mut state = WorkerState::default();
            for work in received {
                work(&mut state);
            }
        };
        Self {
            work: Some(work),
            thread: Some(thread::spawn(run)),
        }
    }

    /// Runs work after the work that was posted before. Does not wait for it.
    ///
    /// # Panics
    /// If earlier work panicked.
    pub fn post(&self, work: impl FnOnce(&mut WorkerState) + Send + 'static) {
        let posted = self.work.as_ref().map(|to| to.send(Box::new(work)));
        assert!(matches!(posted, Some(Ok(()))), "the worker has ended");
    }

    /// Runs work, and waits for its result.
    ///
    /// # Panics
    /// If the work panics.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut WorkerState) -> T + Send + 'static,
    ) -> T {
        let (result, received) = mpsc::sync_channel(1);
        self.post(move |state| {
            let _ = result.send(work(state));
        });
        received.recv().expect("the work ends with a result")
    }
}

impl Drop for WorkerThread {
    fn drop(&mut self) {
        drop(self.work.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if let Some(Err(_)) = ended
            && !thread::panicking()
        {
            panic!("a worker panicked");
        }
    }
}
