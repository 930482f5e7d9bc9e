//! A MeshTimeout as the timeout of routes (`meshtimeout/plugin/xds/configurer.go`).

use core::time::Duration;

use crate::mesh::KumaSettings;

/// Kuma's default of `http.requestTimeout`.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// The timeout of requests; `None` for none.
pub(super) fn request_timeout(settings: &KumaSettings) -> Option<Duration> {
    let stated = settings.time("http.requestTimeout");
    let timeout = stated.unwrap_or(REQUEST_TIMEOUT);
    Some(timeout).filter(|timeout| !timeout.is_zero())
}
