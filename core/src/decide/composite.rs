//! The choice of a composite cluster: the members in the order of attempts.

use super::{BalancerState, Decision, DecisionContext, Reason, Request};
use crate::{
    draw::Draw,
    route::Headers,
    snapshot::CompositeSnapshot,
    trace::{ConfigRef, Step, StepData, Trace},
};

impl<H: Headers> DecisionContext<'_, H> {
    /// Asks the members of this attempt until one has a host. Requests of a member are not dropped,
    /// because Envoy drops by the cluster of the route.
    #[cold]
    pub(super) fn choose_of_composite(
        &self,
        composite: &CompositeSnapshot,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let attempt = self.request.tried.len();
        if !self.request.connection.proxy.is_http() {
            return self.none(Reason::NoHost);
        }
        for member in composite.of_attempt(attempt) {
            trace.step(|| Step {
                data: StepData::CompositeMember { member, attempt },
                config: ConfigRef::Members(self.request.cluster),
            });
            let request = Request {
                cluster: member,
                ..*self.request
            };
            let asked = DecisionContext {
                request: &request,
                is_member: true,
                ..*self
            };
            let decision = asked.choose(state, draw, trace);
            if decision.reason != Reason::NoHost {
                return decision;
            }
        }
        self.none(Reason::NoHost)
    }
}
