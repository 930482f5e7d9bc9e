//! The routing priority, which chooses the thresholds of circuit breakers.

/// The values of `envoy.config.core.v3.RoutingPriority`: whether it is `HIGH`.
pub(crate) const HIGH_PRIORITY: [(&str, i64, bool); 2] = [("DEFAULT", 0, false), ("HIGH", 1, true)];
