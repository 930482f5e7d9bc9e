//! The Envoy that the Live screen reads through the server.

use std::time::Duration;

use spillgate_admin::{AdminClient, AdminLimits, AdminPath};
use spillgate_answers::input::Faults;
use spillgate_serve::{LivePath, LiveSource};

use crate::running::{AdminArgs, admin_url};

/// The longest time for a response, as in the demo.
const TIME: Duration = Duration::from_secs(2);

/// The admin interface of an Envoy.
#[derive(Debug)]
pub(super) struct Admin(AdminClient);

impl Admin {
    /// That of `--admin`; `None` without that option.
    ///
    /// # Errors
    /// An invalid URL.
    pub(super) fn of(args: &AdminArgs) -> Result<Option<Self>, Faults> {
        let Some(url) = &args.url else {
            return Ok(None);
        };
        let limits = AdminLimits {
            time: TIME,
            ..AdminLimits::default()
        };
        Ok(Some(Self(AdminClient::new(
            admin_url("--admin", url)?,
            limits,
        ))))
    }
}

impl LiveSource for Admin {
    fn read(&self, path: LivePath) -> Result<String, String> {
        let path = match path {
            LivePath::Clusters => AdminPath::ClustersJson,
            LivePath::Stats => AdminPath::LiveStats,
        };
        match self.0.get(path) {
            Ok(read) => Ok(read.text.to_string()),
            Err(fault) => Err(fault.render(&self.0.name_of(path))),
        }
    }
}
