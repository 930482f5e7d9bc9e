//! Configurations: valid ones replace the present one, invalid ones do not.

use crate::environment::{Exchange, Proxy, cluster};

fn config(address: &str) -> String {
    let cluster = cluster("c", &[(address, "HEALTHY", "1")]);
    format!(r#"{{"clusters": [{cluster}], "target": "c"}}"#)
}

#[test]
fn an_invalid_configuration_keeps_the_present_one() {
    let mut proxy = Proxy::serving(&config("10.0.0.1:80"));
    for invalid in [
        "",
        "{",
        r#"{"clusters": [], "target": "c"}"#,
        r#"{"clsters": []}"#,
    ] {
        assert!(!proxy.configure(invalid));
        assert_eq!(proxy.request(&[]).hosts(), Some("10.0.0.1:80"), "{invalid}");
    }
    assert_eq!(proxy.worker.metric("spillgate.config.refused"), 4);
    assert_eq!(proxy.worker.log.borrow().len(), 4);
    assert!(proxy.configure(&config("10.0.0.2:80")));
    assert_eq!(proxy.request(&[]).hosts(), Some("10.0.0.2:80"));
    assert_eq!(proxy.worker.metric("spillgate.config.accepted"), 2);
}

#[test]
fn a_request_keeps_the_configuration_that_it_started_with() {
    let mut proxy = Proxy::serving(&config("10.0.0.1:80"));
    let mut request = proxy.instance.request();
    assert!(proxy.configure(&config("10.0.0.2:80")));
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    request.on_request_headers(&mut exchange);
    assert_eq!(exchange.hosts(), Some("10.0.0.1:80"));
}

#[test]
fn without_a_configuration_internal_headers_are_stripped() {
    let proxy = Proxy::default();
    let exchange = proxy.request(&[("x-spillgate-host", "6.6.6.6:80"), ("x-other", "1")]);
    assert_eq!(exchange.request, [("x-other".to_owned(), "1".to_owned())]);
}
