//! Tests of the toolchain request and of the rule that decides.

#![allow(clippy::unwrap_used)]

use super::ToolchainPath::{Debian, Rustup};
use super::ToolchainStep::{AddTarget, InstallDebian, UseActive, UseDebian};
use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

/// The steps where the target, Debian's toolchain and rustup are installed or not.
fn decided(
    request: Option<ToolchainPath>,
    [target, debian, rustup]: [bool; 3],
) -> &'static [ToolchainStep] {
    steps(&ToolchainFacts {
        request,
        active_has_target: target,
        debian_complete: debian,
        rustup_present: rustup,
    })
}

#[test]
fn without_a_request_installed_toolchains_come_before_downloads() {
    assert_eq!(decided(None, [true, true, true]), [UseActive]);
    assert_eq!(decided(None, [true, false, false]), [UseActive]);
    assert_eq!(decided(None, [false, true, true]), [UseDebian]);
    let both: [ToolchainStep; 2] = [AddTarget, InstallDebian];
    assert_eq!(decided(None, [false, false, true]), both);
    assert_eq!(decided(None, [false, false, false]), [InstallDebian]);
}

#[test]
fn a_request_for_rustup_never_uses_debian() {
    assert_eq!(decided(Some(Rustup), [true, true, true]), [UseActive]);
    assert_eq!(decided(Some(Rustup), [false, true, true]), [AddTarget]);
    assert_eq!(decided(Some(Rustup), [false, true, false]), []);
}

#[test]
fn a_request_for_debian_never_uses_the_active_toolchain() {
    assert_eq!(decided(Some(Debian), [true, true, true]), [UseDebian]);
    assert_eq!(decided(Some(Debian), [true, false, true]), [InstallDebian]);
    assert_eq!(
        decided(Some(Debian), [false, false, false]),
        [InstallDebian]
    );
}

#[test]
fn the_option_is_removed_wherever_it_is() {
    for text in [
        "--toolchain debian scenario drain --check",
        "scenario drain --toolchain=debian --check",
        "scenario --toolchain rustup drain --check --toolchain debian",
    ] {
        let mut arguments = words(text);
        assert_eq!(take_option(&mut arguments).unwrap().unwrap(), "debian");
        assert_eq!(arguments, words("scenario drain --check"));
    }
}

#[test]
fn other_arguments_stay() {
    let mut arguments = words("a --toolchains x -- --toolchain debian");
    let before = arguments.clone();
    assert_eq!(take_option(&mut arguments).unwrap(), None);
    assert_eq!(arguments, before);
}

#[test]
fn an_option_without_a_value_is_an_error() {
    let error = take_option(&mut words("test --toolchain")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--toolchain needs a value: rustup or debian"
    );
}

#[test]
fn an_unknown_value_is_named_with_its_source_and_the_allowed_ones() {
    let error = ToolchainRequest::parse(OsStr::new("gcc"), VARIABLE).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SPILLGATE_TOOLCHAIN: unknown toolchain `gcc`, expected rustup or debian"
    );
}

#[test]
fn a_request_reads_as_it_was_typed() {
    let typed = |source| {
        ToolchainRequest::parse(OsStr::new("debian"), source)
            .unwrap()
            .to_string()
    };
    assert_eq!(typed(OPTION), "--toolchain debian");
    assert_eq!(typed(VARIABLE), "SPILLGATE_TOOLCHAIN=debian");
}
