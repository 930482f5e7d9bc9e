//! The files and what they disclose.

use spillgate_codec::{import::scenarios_to_bytes, link::Disclosure};
use spillgate_export::FileFormat;
use spillgate_playground::state::{FileReply, ShareInput, ShippedRequest, ShippedRun, preset};

use crate::{
    files::{Wanted, file, reply},
    shipped,
};

fn input(disclosure: Disclosure) -> ShareInput {
    ShareInput {
        disclosure,
        question: "zone=b:40%\nload(cluster=shop-primary) >= 60".into(),
    }
}

#[test]
fn the_question_is_about_the_disclosed_names() {
    let scenario = preset("shop").unwrap();
    let text = |disclosure| {
        let written = file(
            &scenario,
            &input(disclosure),
            Wanted::File(FileFormat::Scenario),
        );
        written.unwrap().text
    };
    let all = text(Disclosure::Addresses);
    assert!(
        all.contains("[\"zone=b:40%\"]") && all.contains("\"cluster\":\"shop\""),
        "{all}"
    );
    let shape = text(Disclosure::Shape);
    assert!(shape.contains("[\"zone=zone-2:40%\"]"), "{shape}");
    assert!(
        shape.contains("[\"load(cluster=c2) >= 60\"]") && !shape.contains("shop"),
        "{shape}"
    );
}

#[test]
fn every_file_crosses_to_the_page() {
    let scenario = preset("shop").unwrap();
    let bytes = scenarios_to_bytes(&[&scenario]);
    let names = FileFormat::ALL.map(FileFormat::name);
    for name in names.into_iter().chain(["png"]) {
        let input = input(Disclosure::Names);
        let wanted = Wanted::named(name).unwrap();
        let written = file(&scenario, &input, wanted).unwrap();
        let reply = reply(&bytes, input.into_texts(), name);
        let expected = FileReply::Written {
            text: written.text,
            omitted: String::new(),
        };
        assert_eq!(
            FileReply::from_texts(reply.into_texts()),
            expected,
            "{name}"
        );
    }
    for (bytes, name) in [(&bytes[..4], "csv"), (&bytes[..], "pdf")] {
        let reply = reply(bytes, input(Disclosure::Names).into_texts(), name);
        assert!(matches!(reply, FileReply::Refused(_)), "{name}");
    }
}

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
