//! The color and the fill of an owner of requests: one for each name, on both sides of the picture.

use spillgate_scenario::color_class;

use crate::view::{
    parts::paint,
    screens::compare::{OwnerBar, RibbonPicture},
};

/// The color of an owner.
pub(super) struct OwnerLook {
    /// The class with its color.
    pub(super) class: String,
    /// Its color with its pattern; for requests without a host hatched.
    pub(super) fill: String,
}

impl OwnerLook {
    /// The look of an owner of this picture.
    pub(super) fn of(picture: &RibbonPicture, owner: Option<&OwnerBar>) -> Self {
        let mut known: Vec<&str> = Vec::new();
        let bars = picture.before.iter().chain(&picture.after);
        for name in bars.filter_map(|bar| bar.name.as_deref()) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        let name = owner.and_then(|owner| owner.name.as_deref());
        let place = name.and_then(|name| known.iter().position(|known| *known == name));
        Self {
            class: color_class(place.unwrap_or(known.len())),
            fill: place.map_or_else(|| "url(#hatch)".into(), paint),
        }
    }
}

#[cfg(test)]
mod tests {
    use spillgate_diff::{OwnerShare, TrafficChange};

    use super::*;
    use crate::view::screens::compare::ribbon_picture;

    fn owners(names: &[Option<&str>]) -> Vec<OwnerShare> {
        let owners = names.iter().map(|name| OwnerShare {
            name: name.map(str::to_owned),
            share: 10.0,
        });
        owners.collect()
    }

    #[test]
    fn an_owner_has_one_look_on_both_sides() {
        let picture = ribbon_picture(&TrafficChange {
            before: owners(&[Some("zone a"), Some("zone b"), None]),
            after: owners(&[Some("zone b"), Some("zone c"), None]),
            flows: Vec::new(),
        });
        let looks = |bars: &[OwnerBar]| -> Vec<(String, String)> {
            let looks = bars.iter().map(|bar| OwnerLook::of(&picture, Some(bar)));
            looks.map(|look| (look.class, look.fill)).collect()
        };
        let (before, after) = (looks(&picture.before), looks(&picture.after));
        assert_eq!(before[1], after[0]);
        assert_eq!(before[2], after[2]);
        assert_eq!(after[2].1, "url(#hatch)");
        for other in [&before[0], &before[1]] {
            assert_ne!(after[1], *other);
        }
    }
}
