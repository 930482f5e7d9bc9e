//! The polling, while a view of this module is in the playground and its tab is shown.

use std::cell::RefCell;

use crate::bridge::{self, LiveReply, Timer};
use yew::prelude::*;

use crate::view::screens::live::{LiveFault, LiveInput, LiveMonitor};

/// The paths of the server.
const CLUSTERS: &str = "/live/clusters?format=json";
const STATS: &str = "/live/stats";

/// The readings, the settings of the shown view and its timer. Views come and go; the readings remain.
#[derive(Default)]
struct Poll {
    monitor: LiveMonitor,
    input: LiveInput,
    /// Called after each change; `None` while no view is in the playground.
    on_change: Option<Callback<()>>,
    timer: Option<Timer>,
    is_reading: bool,
}

thread_local! {
    static POLL: RefCell<Poll> = RefCell::default();
}

/// Runs `look` with the readings.
pub(super) fn with_monitor<R>(look: impl FnOnce(&LiveMonitor) -> R) -> R {
    POLL.with_borrow(|poll| look(&poll.monitor))
}

/// Pauses or continues the polling.
pub(super) fn set_paused(is_paused: bool) {
    POLL.with_borrow_mut(|poll| poll.monitor.is_paused = is_paused);
    changed();
}

/// Reads now, whatever the pace.
pub(super) fn read_now() {
    let is_free = POLL.with_borrow_mut(|poll| !std::mem::replace(&mut poll.is_reading, true));
    if !is_free {
        return;
    }
    if !bridge::is_on_server() {
        received(Err(LiveFault::NoServer), None);
        return;
    }
    bridge::read_live(CLUSTERS, |clusters| {
        let clusters = clusters.map_err(LiveFault::Unreachable);
        let is_read = matches!(&clusters, Ok(reply) if reply.status == 200);
        if is_read && with_monitor(LiveMonitor::needs_counters) {
            bridge::read_live(STATS, |stats| received(clusters, stats.ok()))
        } else {
            received(clusters, None)
        }
    });
}

fn received(clusters: Result<LiveReply, LiveFault>, stats: Option<LiveReply>) {
    POLL.with_borrow_mut(|poll| {
        poll.is_reading = false;
        poll.monitor.received(now(), clusters, stats.as_ref());
    });
    changed();
}

/// Updates the view, and waits for the next read.
fn changed() {
    let on_change = POLL.with_borrow(|poll| poll.on_change.clone());
    if let Some(on_change) = on_change {
        on_change.emit(());
    }
    schedule();
}

/// Sets the timer of the next read, if there is to be one.
fn schedule() {
    let due = POLL.with_borrow_mut(|poll| {
        poll.timer = None;
        let rests = poll.on_change.is_none()
            || poll.is_reading
            || poll.monitor.is_paused
            || poll.monitor.is_absent(bridge::is_live())
            || bridge::is_hidden();
        (!rests).then(|| poll.monitor.due_in(now(), &poll.input))
    });
    if let Some(due) = due {
        let timer = bridge::after(due, read_now);
        POLL.with_borrow_mut(|poll| poll.timer = Some(timer));
    }
}

/// Milliseconds since the playground was opened.
pub(super) fn now() -> u64 {
    bridge::now() as u64
}

/// Milliseconds until the next read is due.
pub(super) fn due_in() -> u32 {
    POLL.with_borrow(|poll| poll.monitor.due_in(now(), &poll.input))
}

/// Polls with the pace of `input` while the component is in the playground, and draws it again after each change.
#[hook]
pub(super) fn use_polling(input: &LiveInput) {
    let update = use_force_update();
    use_effect_with((), move |()| {
        let on_change = Callback::from(move |()| update.force_update());
        POLL.with_borrow_mut(|poll| poll.on_change = Some(on_change));
        let visibility = bridge::on_visibility_change(schedule);
        move || {
            drop(visibility);
            POLL.with_borrow_mut(|poll| {
                poll.on_change = None;
                poll.timer = None;
            });
        }
    });
    use_effect_with(input.clone(), |input| {
        POLL.with_borrow_mut(|poll| poll.input = input.clone());
        schedule();
    });
}
