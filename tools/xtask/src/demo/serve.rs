//! The interactive demo: it prints commands to try and runs until Ctrl-C.

use std::thread::sleep;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::demo::{DemoPorts, RunningDemo, summary};

use crate::interrupt;

/// Serves until the user asks to stop.
pub fn run(mut demo: RunningDemo) -> Result<()> {
    print!("\n{}", summary(&demo.state.hosts()?));
    print!("{}", instructions(&demo.ports));
    while !interrupt::asked() {
        demo.envoy.process.check_alive()?;
        sleep(Duration::from_millis(100));
    }
    println!("\nstopping Envoy (process {})", demo.envoy.process.id());
    Ok(())
}

fn instructions(ports: &DemoPorts) -> String {
    let (page, service, admin) = (ports.page(), ports.service(), ports.admin());
    format!(
        "
page     http://{page}/
docs     http://{page}/docs/
service  http://{service}/
admin    http://{admin}/clusters

Try, in another terminal:
  curl -i -H 'x-user: ada' http://{service}/
  curl -i -H 'x-user: ada' -H 'x-spillgate-debug: demo-trace-secret' http://{service}/
  for i in $(seq 100); do curl -s -H \"x-user: $i\" http://{service}/; done | sort | uniq -c

Kill hosts and watch the split follow:
  cargo xtask demo kill 127.0.1.1 127.0.1.2 127.0.1.3 127.0.1.4 127.0.1.5
  cargo xtask demo heal all
  cargo xtask demo hosts

Press Ctrl-C to stop.
"
    )
}
