//! Runs of the shipped filter.

use spillgate_codec::import::scenarios_to_bytes;
use spillgate_scenario::{ShippedRequest, ShippedRun, preset};

use crate::shipped;

#[test]
fn a_run_of_the_filter_is_about_the_undisclosed_hosts() {
    let scenario = preset("shop").unwrap();
    let bytes = scenarios_to_bytes(&[&scenario]);
    let texts = || ShippedRequest::default().into_texts();
    let ShippedRun::Ready {
        omitted,
        texts: run,
    } = shipped::run(&bytes, texts(), &[])
    else {
        panic!("the filter supports the scenario");
    };
    assert_eq!(omitted, "");
    let plain = scenario
        .shown()
        .into_iter()
        .find_map(|at| scenario.plain(at));
    let host = &plain.unwrap().priorities[0].endpoints[0];
    let (address, _) = host.address.rsplit_once(':').unwrap();
    assert!(run[0].contains(address), "{}", run[0]);
    for (bytes, criteria) in [(&bytes[..4], &[][..]), (&bytes[..], &[0xff][..])] {
        let refused = shipped::run(bytes, texts(), criteria);
        assert!(matches!(refused, ShippedRun::Refused(_)), "{refused:?}");
    }
}
