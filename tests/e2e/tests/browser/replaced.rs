//! Reads reach an element that renders replace all the time.

use anyhow::{Result, ensure};
use spillgate_e2e::{Browser, Workdir};

/// A button that is replaced between almost any two commands, as a page under load may do.
const RESTLESS: &str = "data:text/html,<body><script>
    const render = () => {
        document.body.innerHTML = '<button value=v>text</button>';
        setTimeout(render);
    };
    render();
</script>";

#[test]
fn a_replaced_element_is_read_again() -> Result<()> {
    let workdir = Workdir::new("replaced")?;
    let browser = Browser::start(&workdir)?;
    browser.open(RESTLESS)?;
    for _ in 0..40 {
        ensure!(browser.text("button")? == "text");
        ensure!(browser.property("button", "value")?.as_deref() == Some("v"));
        ensure!(browser.attribute("button", "value")?.as_deref() == Some("v"));
    }
    Ok(())
}
