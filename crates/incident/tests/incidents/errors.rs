//! Errors and timeouts, as outlier detection counts them.

use std::time::Duration;

use spillgate_health::outlier::OutlierDetection;
use spillgate_incident::{ErrorAnswers, HostBehavior};

use crate::{close, outlier, report, script, seconds, setup};

/// The requests of a silent host end after its timeout, when it works again: the first host of two gets timeouts and
/// successes in equal parts for 10 s, 10 of each a second.
#[test]
fn timeouts_of_requests_that_wait_eject_a_host_that_works_again() {
    let of = |consecutive_5xx| {
        let settings = OutlierDetection {
            consecutive_5xx,
            max_ejection_percent: 50,
            success_rate_minimum_hosts: 2,
            enforcing_success_rate: 0,
            consecutive_gateway_failure: 0,
            ..OutlierDetection::default()
        };
        let setup = setup(&[2], outlier(settings));
        let script = script(HostBehavior::Silent, "host=10.0.0.1:80@10s..20s", 20.0);
        report(&setup, &script, 100)
    };
    // A row of 4 takes 15 timeouts in the mean, half of a spacing each earlier or later.
    let often = of(4);
    assert!(often.unnoticed_runs <= 2, "{}", often.unnoticed_runs);
    close(seconds(often.detected_last.mean), 16.5, 0.5);
    close(often.failed.mean, 100.0, 2.0);
    // Only the return from the ejection has a bound.
    let bounds = often.settings.iter().map(|setting| setting.most.is_some());
    assert!(bounds.eq([false, true]), "{:?}", often.settings);
    // 100 timeouts have no row of 20.
    assert_eq!(of(20).unnoticed_runs, 100);
}

/// With a status below 500, no host is ejected, also not for its success rate.
#[test]
fn outlier_detection_takes_errors_below_500_for_successes() {
    let settings = OutlierDetection {
        success_rate_minimum_hosts: 3,
        success_rate_request_volume: 5,
        ..OutlierDetection::default()
    };
    let of = |text| {
        let setup = setup(&[10], outlier(settings.clone()));
        let script = script(HostBehavior::Errors(ErrorAnswers::ALL), text, 100.0);
        report(&setup, &script, 1)
    };
    let counted = of("host=10.0.0.1:80:100%/500@10s..40s");
    assert_eq!((counted.unnoticed, counted.settings.len()), (0, 2));
    let ignored = of("host=10.0.0.1:80:100%/499@10s..40s");
    assert_eq!((ignored.unnoticed, ignored.settings.len()), (1, 0));
    close(ignored.failed.mean, 300.0, 1.0);
    let sentences = ignored.sentences();
    let why = |text: &String| text.contains("takes 499 for a success");
    assert!(sentences.iter().any(why), "{sentences:?}");
}

/// Half of the requests fail: a row of five takes 62 requests of the host on average.
#[test]
fn rows_of_mixed_errors_take_as_long_as_their_distribution() {
    let setup = setup(&[10], outlier(OutlierDetection::default()));
    let mut script = script(
        HostBehavior::Errors(ErrorAnswers::ALL),
        "host=10.0.0.1:80:50%@1s..",
        100.0,
    );
    script.until = Some(Duration::from_secs(600));
    let report = report(&setup, &script, 300);
    assert_eq!(report.unnoticed, 0);
    close(seconds(report.detected_last.mean), 6.2, 0.9);
}
