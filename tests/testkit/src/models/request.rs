//! What connection managers and routes change in requests.

use spillgate_core::route::{
    AddedHeader, AddressDetection, AddressPart, AddressRange, AppendAction, ClientAddress,
    ConnectionManager, EscapedSlashes, FormatAddress, FormatPart, HeaderFormat, HeaderMutation,
    HeaderMutations, HostRewrite, PathFragments, PathRewrite, PortStripping, RequestRewrite,
};

use super::{Dice, Extent, routes::Making};

impl Dice {
    pub(super) fn manager(&mut self, extent: Extent) -> ConnectionManager {
        ConnectionManager {
            // Written configurations have no certificates.
            tls: false,
            client: self.client(),
            internal: self.ranges(20),
            append_x_forwarded_port: self.chance(20),
            scheme: self.chance(20).then(|| "https".into()),
            early: if self.chance(20) {
                self.mutation_steps(extent)
            } else {
                Vec::new()
            },
            normalize_path: self.chance(20),
            // It is a runtime value, which the writer reports.
            fragments: PathFragments::Reject,
            merge_slashes: self.chance(20),
            escaped_slashes: self.one(&[
                EscapedSlashes::Keep,
                EscapedSlashes::Keep,
                EscapedSlashes::Reject,
                EscapedSlashes::UnescapeAndForward,
                EscapedSlashes::UnescapeAndRedirect,
            ]),
            strip_port: self.one(&[
                PortStripping::Never,
                PortStripping::Any,
                PortStripping::Matching,
            ]),
            strip_trailing_host_dot: self.chance(20),
            via: self.one(&["", "edge"]).into(),
            keep_client_certificate: self.chance(20),
        }
    }

    fn client(&mut self) -> ClientAddress {
        let append = self.chance(50);
        match self.below(4) {
            0 => ClientAddress::Connection {
                trusted_hops: self.one(&[0, 1, 2]),
                append,
            },
            1 => ClientAddress::forwarded(self.one(&[0, 2])),
            2 => ClientAddress::Headers(vec![
                AddressDetection::Header {
                    name: self.header(),
                    trusted: self.chance(50),
                    refuse: self.chance(20).then_some(401),
                },
                AddressDetection::Hops { skip: 1, append },
            ]),
            _ => {
                let ranges = self.ranges(80);
                ClientAddress::Headers(vec![AddressDetection::Trusted { ranges, append }])
            }
        }
    }

    fn ranges(&mut self, percent: usize) -> Vec<AddressRange> {
        let range = |address: &str, length| AddressRange {
            address: address.parse().expect("an address"),
            length,
        };
        self.some(&[range("10.0.0.0", 8), range("fd00::", 16)], percent)
    }

    pub(super) fn header_mutations(&mut self, extent: Extent) -> HeaderMutations {
        if !self.chance(20) {
            return HeaderMutations::default();
        }
        HeaderMutations {
            removed: self.some(&["x-user".into(), "x-old".into()], 30),
            added: (0..self.below(3)).map(|_| self.added(extent)).collect(),
        }
    }

    pub(super) fn mutation_steps(&mut self, extent: Extent) -> Vec<HeaderMutation> {
        (0..self.between(1, 3))
            .map(|_| {
                if self.chance(30) {
                    HeaderMutation::Remove(self.header())
                } else {
                    HeaderMutation::Append(self.added(extent))
                }
            })
            .collect()
    }

    fn added(&mut self, extent: Extent) -> AddedHeader {
        AddedHeader {
            name: self.header(),
            value: self.format(extent),
            action: self.one(&[
                AppendAction::AppendIfExistsOrAdd,
                AppendAction::AddIfAbsent,
                AppendAction::OverwriteIfExistsOrAdd,
                AppendAction::OverwriteIfExists,
            ]),
            keep_empty: self.chance(20),
        }
    }

    fn format(&mut self, extent: Extent) -> HeaderFormat {
        let parts = (0..self.below(3)).map(|at| match self.below(4) {
            // Adjacent texts would be one.
            _ if at % 2 == 0 => FormatPart::Text(self.one(&["a", "50%", "v1"]).into()),
            0 => FormatPart::Address(
                self.one(&[FormatAddress::Remote, FormatAddress::Local]),
                self.one(&[AddressPart::Whole, AddressPart::WithoutPort]),
            ),
            1 => FormatPart::RouteName,
            _ => FormatPart::Header {
                name: self.header(),
                otherwise: self.chance(30).then(|| self.header()),
                limit: self.chance(30).then_some(extent.size + 1),
            },
        });
        HeaderFormat(parts.collect())
    }

    pub(super) fn rewrites(&mut self, making: Making<'_>) -> RequestRewrite {
        let path = match self.below(10) {
            0 => Some(PathRewrite::Prefix("/new".into())),
            1 => Some(PathRewrite::Regex(self.rewrite(making.compile))),
            _ => None,
        };
        let host = match self.below(10) {
            0 => Some(HostRewrite::Literal("host.example".into())),
            1 => Some(HostRewrite::Header(self.header())),
            2 => Some(HostRewrite::PathRegex(self.rewrite(making.compile))),
            _ => None,
        };
        RequestRewrite {
            path,
            host,
            append_x_forwarded_host: self.chance(20),
        }
    }
}
