//! The results of one host, as outlier detection gets them.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::draw::SplitMix64;
use spillgate_health::outlier::{
    Detector, OutlierDetection, OutlierEvent, RequestResult, TimeoutsInRow,
};

use super::{host::HostRun, outcomes::ResultRun, timeouts::TimeoutRows};
use crate::traffic::FailureKind;

/// Gives outlier detection the results of one host.
pub(super) struct HostResults<'a> {
    pub(super) detector: &'a mut Detector,
    pub(super) now: Duration,
    pub(super) index: usize,
    pub(super) draw: &'a mut SplitMix64,
    /// What it does with its hosts.
    pub(super) events: Vec<OutlierEvent>,
}

impl HostResults<'_> {
    /// Results of the host as it behaves now.
    pub(super) fn present(&mut self, count: u64, host: &mut HostRun) {
        if host.outlook.kind.is_timeout() && host.fails() {
            self.timeouts(count, host.timeouts.as_mut());
            return;
        }
        let failure = host.outlook.kind.result();
        for ResultRun { failed, count } in host.outcomes.take(count, self.draw) {
            let result = if failed {
                failure
            } else {
                Some(RequestResult::Response {
                    status: 200,
                    degraded: host.reports_degraded(),
                })
            };
            self.same(count, result);
        }
    }

    /// Timeouts of attempts from before, without another result between them. Where hosts take turns, requests come between
    /// the ends of others, too.
    pub(super) fn waited(&mut self, count: u64, takes_turns: bool) {
        let settings = self.detector.settings();
        if settings.split_external_local_origin_errors
            && !(takes_turns && are_timeouts_apart(settings))
        {
            // Their connections have been open for long, and further ones are in other results.
            let go_on = true;
            self.in_row(TimeoutsInRow { count, go_on });
        } else {
            self.same(count, Some(RequestResult::Timeout));
        }
    }

    /// Timeouts, in rows if requests arrive at random.
    fn timeouts(&mut self, count: u64, rows: Option<&mut TimeoutRows>) {
        if are_timeouts_apart(self.detector.settings())
            && let Some(rows) = rows
        {
            for row in rows.take(count, self.draw) {
                self.in_row(row);
            }
            return;
        }
        self.same(count, Some(RequestResult::Timeout));
    }

    fn in_row(&mut self, row: TimeoutsInRow) {
        let found = self
            .detector
            .on_timeouts_in_row(self.now, self.index, row, self.draw);
        self.events.extend(found);
    }

    fn same(&mut self, count: u64, result: Option<RequestResult>) {
        if let Some(result) = result {
            let found = self
                .detector
                .on_results(self.now, self.index, result, count, self.draw);
            self.events.extend(found);
        }
    }
}

impl FailureKind {
    /// What outlier detection gets of such a failure; `None` if it never ends.
    const fn result(self) -> Option<RequestResult> {
        match self {
            Self::Connect => Some(RequestResult::ConnectFailure),
            Self::Response(status) => Some(RequestResult::status(status)),
            Self::PerTryTimeout(_) | Self::RouteTimeout(_) => Some(RequestResult::Timeout),
            Self::Endless => None,
        }
    }
}

/// Whether timeouts come long after their connections were open: other requests decide whether several are in a row.
pub(super) const fn are_timeouts_apart(settings: &OutlierDetection) -> bool {
    settings.split_external_local_origin_errors && settings.consecutive_local_origin_failure > 1
}
