//! From documents to the inputs of a computation: the proxy, its destinations, their endpoints and
//! the policies.

mod health;
mod istio;
mod kuma;
mod point_of_view;

pub use health::apply_health;
pub use istio::{IstioServiceView, IstioView};
pub use kuma::{KumaDestinationView, KumaView};
pub use point_of_view::PointOfView;
