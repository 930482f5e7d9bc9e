//! `spillgate ui`: the playground opens with the configuration.

use std::ffi::OsString;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use spillgate_e2e::playground::Playground;
use spillgate_e2e::{Need, Port, Workdir, eventually, needed, spillgate};

/// Half of P0 is unhealthy, so it takes 70 %.
const CONFIG: &str = "\
static_resources:
  clusters:
  - name: acme-checkout
    load_assignment:
      cluster_name: acme-checkout
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.20.30.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.20.30.2, port_value: 80}}}
          health_status: UNHEALTHY
      - priority: 1
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.20.31.1, port_value: 80}}}
";

#[test]
fn the_served_playground_shows_the_configuration() -> Result<()> {
    let workdir = Workdir::new("page_ui")?;
    let config = workdir.write("envoy.yaml", CONFIG)?.into_os_string();
    let port = Port::lease()?;
    let listen = format!("127.0.0.1:{}", port.number());
    let arguments = [
        OsString::from("ui"),
        config.clone(),
        "--open=never".into(),
        "--listen".into(),
        OsString::from(&listen),
        "--files".into(),
        needed(Need::Www)?.into_os_string(),
    ];
    // It serves until the test process ends.
    thread::spawn(move || spillgate(arguments));
    eventually("the server", Duration::from_secs(10), || {
        Ok(TcpStream::connect(&listen).ok())
    })?;
    let origin = format!("http://{listen}/");
    let link = [
        OsString::from("link"),
        "encode".into(),
        config,
        "--include-addresses".into(),
        "--page".into(),
        OsString::from(&origin),
    ];
    let link = spillgate(link)?.output;
    let page = Playground::at(&workdir, origin)?;
    page.browser.open(link.trim())?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.browser.screenshot("ui")?;
    page.finish()
}
