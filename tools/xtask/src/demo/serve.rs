//! The interactive demo: it prints commands to try, completes the playground and runs until Ctrl-C.

use std::thread::sleep;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::demo::{DemoPorts, RunningDemo, summary};

use crate::interrupt;

/// Prints where the demo is, builds `rest`, and serves until the user asks to stop.
pub fn run(mut demo: RunningDemo, rest: impl FnOnce() -> Result<()>) -> Result<()> {
    print!("\n{}", summary(&demo.state.hosts()?));
    print!("{}", instructions(&demo.ports));
    println!(
        "\nThe playground shows Build, its first screen. What it loads later and the documentation follow.\n"
    );
    match rest() {
        Ok(()) => println!("\nThe playground and the documentation are complete.\n"),
        Err(_) if interrupt::asked() => {}
        // The requests do not need it.
        Err(error) => println!("\nwarning: the playground is not complete: {error:#}\n"),
    }
    if !interrupt::asked() {
        println!(
            "playground  http://{}/\nPress Ctrl-C to stop.",
            demo.ports.page()
        );
    }
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
playground  http://{page}/
docs        http://{page}/docs/
service     http://{service}/
admin       http://{admin}/clusters

Try, in another terminal:
  curl -i -H 'x-user: ada' http://{service}/
  curl -i -H 'x-user: ada' -H 'x-spillgate-debug: demo-trace-secret' http://{service}/
  for i in $(seq 100); do curl -s -H \"x-user: $i\" http://{service}/; done | sort | uniq -c

Kill hosts and watch the split follow:
  cargo xtask demo kill 127.0.1.1 127.0.1.2 127.0.1.3 127.0.1.4 127.0.1.5
  cargo xtask demo heal all
  cargo xtask demo hosts
"
    )
}
