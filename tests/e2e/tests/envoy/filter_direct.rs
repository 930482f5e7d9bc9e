//! Routes that Envoy answers itself: the filter leaves them alone while no host can serve.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, http_listener, native, our_filters, plain, priority,
    steered, to_chosen_cluster, to_cluster, with_panic_threshold,
};
use spillgate_e2e::{Client, Envoy, Port, Workdir, eventually};

#[rstest]
fn direct_responses_and_redirects_do_not_fail_with_the_hosts(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_direct", form)?;
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let down = priority("127.33.0", hosts.number(), "uu")?;
    let shop = with_panic_threshold(plain("shop", Policy::RoundRobin, vec![down]), 0);
    let filter = json!({
        "clusters": [native(&shop)?],
        "target": "shop",
        "hash_policy": [{"header": {"header_name": "x-user"}}],
    });
    let direct = json!({
        "match": {"path": "/healthz"},
        "direct_response": {"status": 200, "body": {"inline_string": "fine"}},
    });
    let redirect = json!({"match": {"path": "/old"}, "redirect": {"path_redirect": "/new"}});
    // Blocks clients that send internal headers: after the filter, another route matches.
    let blocked = json!({
        "match": {"path": "/static", "headers": [{"name": HOST_HEADER, "present_match": true}]},
        "direct_response": {"status": 403},
    });
    let routes = [
        direct,
        redirect,
        blocked,
        to_cluster("/static", "shop"),
        json!({"match": {"path": "/alone"}, "route": {"cluster_header": CLUSTER_HEADER}}),
        to_chosen_cluster(form),
    ];
    let listener = http_listener(
        "service",
        service.number(),
        &routes,
        our_filters(form, &filter)?,
    );
    let log = workdir.path().join("access.log");
    let bootstrap = Bootstrap::new()
        .listener(logged(listener, &log))
        .cluster(steered(form, &shop)?)
        .hosts_of(&shop);
    let bootstrap = match form {
        Wasm => bootstrap,
        DynamicModule => bootstrap.observing(DynamicModule, &Value::Null)?,
    };
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let mut client = Client::new(service.local());
    let mut get = |path: &str, headers: &[(&str, &str)]| client.get(path, headers);

    let healthy = get("/healthz", &[])?;
    ensure!(
        healthy.status == 200 && healthy.text() == "fine",
        "{healthy:?}"
    );
    let moved = get("/old", &[])?;
    ensure!(moved.status == 301, "{moved:?}");
    for path in ["/", "/static", "/alone"] {
        for headers in [
            &[][..],
            &[(HOST_HEADER, "127.33.0.1:1")],
            &[(CLUSTER_HEADER, "shop")],
        ] {
            let refused = get(path, headers)?;
            ensure!(refused.status == 503, "{path}, {headers:?}: {refused:?}");
            ensure!(
                refused.text() == "no healthy upstream",
                "{path}: {refused:?}"
            );
        }
    }
    envoy.check_filter()?;
    // Envoy writes the log later.
    let log = eventually("11 lines in the log", Duration::from_secs(20), || {
        let log = fs::read_to_string(&log)?;
        Ok((log.lines().count() >= 11).then_some(log))
    })?;
    let count = |line: &str| log.lines().filter(|one| *one == line).count();
    ensure!(count("503 spillgate_no_host") == 9, "{log}");
    ensure!(count("200 direct_response") == 1, "{log}");
    ensure!(count("301 direct_response") == 1, "{log}");
    Ok(())
}

/// A listener that logs the status and the details of each response.
fn logged(mut listener: Value, file: &Path) -> Value {
    let manager = &mut listener["filter_chains"][0]["filters"][0]["typed_config"];
    manager["access_log"] = json!([{
        "name": "log",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
            "path": file,
            "log_format": {"text_format_source": {
                "inline_string": "%RESPONSE_CODE% %RESPONSE_CODE_DETAILS%\n",
            }},
        },
    }]);
    listener
}
