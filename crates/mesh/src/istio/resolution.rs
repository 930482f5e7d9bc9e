//! How Envoy finds endpoints.

/// How Envoy finds the endpoints of a service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum IstioResolution {
    /// From the control plane (EDS): Kubernetes services and `STATIC` ServiceEntries.
    #[default]
    Static,
    /// From DNS (`STRICT_DNS`): ServiceEntries with `resolution: DNS`. `failoverPriority` applies
    /// since Istio 1.30, and not to subsets.
    Dns,
    /// None (`resolution: NONE`, headless Services): the original destination of the request. Gateways get
    /// the endpoints from the control plane.
    Passthrough,
    /// From DNS for the host that each request names (`resolution: DYNAMIC_DNS`).
    HostName,
}
