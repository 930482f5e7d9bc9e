//! Our filter in a listener.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;

use crate::{Need, Workdir, needed};

/// The request header in which the filter lists hosts.
pub const HOST_HEADER: &str = "x-spillgate-host";
/// The request header in which the filter names the cluster.
pub const CLUSTER_HEADER: &str = "x-spillgate-cluster";

/// The types of our filter's configuration.
const WASM: &str = "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm";
const DYNAMIC_MODULE: &str =
    "type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter";

/// The file from which a listener's filter comes; rewriting it changes the filter.
const ECDS_FILE: &str = "ecds.json";

/// The filter, and its configuration in a watched file.
#[derive(Debug)]
pub struct Delivery<'w> {
    workdir: &'w Workdir,
    module: PathBuf,
}

impl<'w> Delivery<'w> {
    /// Nothing is written yet.
    ///
    /// # Errors
    /// When `SPILLGATE_FILTER_WASM` is not set, or for a dynamic module `SPILLGATE_MODULE`.
    pub fn new(workdir: &'w Workdir) -> Result<Self> {
        let need = match workdir.form() {
            FilterForm::Wasm => Need::FilterWasm,
            FilterForm::DynamicModule => Need::Module,
        };
        Ok(Self {
            workdir,
            module: needed(need)?,
        })
    }

    /// Gives the filter a configuration: any text, so that it may be a broken one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn give(&self, configuration: &str) -> Result<()> {
        self.give_config(&match self.workdir.form() {
            FilterForm::Wasm => wasm(&self.module, "spillgate", "FAIL_RELOAD", configuration),
            FilterForm::DynamicModule => dynamic_module(configuration),
        })
    }

    /// Gives another Wasm module a configuration: it takes the place of the one that serves.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn give_module(&self, module: &Path, configuration: &str) -> Result<()> {
        self.give_config(&wasm(module, "spillgate", "FAIL_RELOAD", configuration))
    }

    /// Gives the filter a configuration with a file that does not exist.
    ///
    /// # Errors
    /// When the file of the configuration cannot be written.
    pub fn give_missing(&self, configuration: &str) -> Result<()> {
        let mut config = match self.workdir.form() {
            FilterForm::Wasm => {
                let module = Path::new("/nowhere/spillgate.wasm");
                wasm(module, "spillgate", "FAIL_RELOAD", configuration)
            }
            FilterForm::DynamicModule => dynamic_module(configuration),
        };
        if self.workdir.form() == FilterForm::DynamicModule {
            config["dynamic_module_config"]["name"] = json!("spillgate-nowhere");
        }
        self.give_config(&config)
    }

    fn give_config(&self, config: &Value) -> Result<()> {
        let resource = json!({
            "resources": [{
                "@type": "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig",
                "name": "spillgate",
                "typed_config": config,
            }],
        });
        let text = serde_json::to_string_pretty(&resource)?;
        self.workdir.write(ECDS_FILE, &text)?;
        Ok(())
    }

    /// The module that ships.
    #[must_use]
    pub fn module(&self) -> &Path {
        &self.module
    }

    /// Our filter, and for the Wasm form the one that moves the host list where the upstream cannot see it.
    #[must_use]
    pub fn filters(&self) -> Vec<Value> {
        let (kind, next) = match self.workdir.form() {
            FilterForm::Wasm => (WASM, Some(host_list_to_metadata())),
            FilterForm::DynamicModule => (DYNAMIC_MODULE, None),
        };
        let ours = json!({
            "name": "spillgate",
            "config_discovery": {
                "config_source": {
                    "resource_api_version": "V3",
                    "initial_fetch_timeout": "20s",
                    "path_config_source": {"path": self.workdir.path().join(ECDS_FILE)},
                },
                "type_urls": [kind],
            },
        });
        [ours].into_iter().chain(next).collect()
    }
}

/// The configuration of a wasm filter whose module is at that path, in a VM of that id.
#[must_use]
pub fn wasm(module: &Path, vm_id: &str, failure_policy: &str, configuration: &str) -> Value {
    json!({
        "@type": WASM,
        "config": {
            "name": "spillgate",
            "vm_config": {
                "vm_id": vm_id,
                "runtime": "envoy.wasm.runtime.v8",
                "code": {"local": {"filename": module}},
            },
            "failure_policy": failure_policy,
            "configuration": {
                "@type": "type.googleapis.com/google.protobuf.StringValue",
                "value": configuration,
            },
        },
    })
}

/// The configuration of the dynamic module as a filter.
#[must_use]
pub fn dynamic_module(configuration: &str) -> Value {
    json!({
        "@type": DYNAMIC_MODULE,
        "dynamic_module_config": our_module(),
        "filter_name": "spillgate",
        "filter_config": {
            "@type": "type.googleapis.com/google.protobuf.StringValue",
            "value": configuration,
        },
    })
}

/// The dynamic module as a bootstrap extension.
pub(super) fn module_extension() -> Value {
    json!({
        "name": "spillgate",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension",
            "dynamic_module_config": our_module(),
            "extension_name": "spillgate",
        },
    })
}

/// The dynamic module.
pub(super) fn our_module() -> Value {
    json!({"name": "spillgate", "do_not_close": true})
}

/// Our filter, and for the Wasm form the one that moves the host list where no host sees it.
///
/// # Errors
/// When `SPILLGATE_FILTER_WASM` is not set.
pub fn our_filters(form: FilterForm, configuration: &Value) -> Result<Vec<Value>> {
    match form {
        FilterForm::Wasm => our_filters_in("spillgate", configuration),
        FilterForm::DynamicModule => Ok(vec![json!({
            "name": "spillgate",
            "typed_config": dynamic_module(&configuration.to_string()),
        })]),
    }
}

/// The filter as Wasm, in a VM of that id.
///
/// # Errors
/// When `SPILLGATE_FILTER_WASM` is not set.
pub fn our_filters_in(vm_id: &str, configuration: &Value) -> Result<Vec<Value>> {
    let module = needed(Need::FilterWasm)?;
    let text = configuration.to_string();
    Ok(vec![
        json!({
            "name": "spillgate",
            "typed_config": wasm(&module, vm_id, "FAIL_RELOAD", &text),
        }),
        host_list_to_metadata(),
    ])
}

/// The filter that reads the host in the filter's header as a session, for the output mode
/// `stateful_session`.
#[must_use]
pub fn host_session() -> Value {
    json!({
        "name": "envoy.filters.http.stateful_session",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
            "session_state": {
                "name": "envoy.http.stateful_session.header",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
                    "name": HOST_HEADER,
                },
            },
        },
    })
}

/// The filter behind ours: it moves the host list where the upstream cannot see it.
#[must_use]
pub fn host_list_to_metadata() -> Value {
    json!({
        "name": "envoy.filters.http.header_to_metadata",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
            "request_rules": [{
                "header": HOST_HEADER,
                "on_header_present": {"metadata_namespace": "spillgate", "key": "host", "type": "STRING"},
                "remove": true,
            }],
        },
    })
}
