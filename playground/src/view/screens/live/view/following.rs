//! The part of the first screen that follows a running Envoy.

use std::{cell::RefCell, rc::Rc};

use crate::{bridge, state::ScreenAction, view::parts::Button};
use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use super::{
    age::Age,
    poll::{use_polling, with_monitor},
};
use crate::view::screens::live::{Follow, LiveInput, LiveMessage, LiveStage};

thread_local! {
    static FOLLOW: RefCell<Follow> = RefCell::default();
}

/// The playground keeps the state that it shows.
pub(super) fn stop_following() {
    FOLLOW.with_borrow_mut(Follow::stop);
}

#[derive(PartialEq, Properties)]
pub(crate) struct FollowingProps {
    /// The scenario of the playground.
    pub(crate) scenario: Rc<EditedScenario>,
    /// Called with the states of Envoy.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// Whether the playground follows, the age of the data, and the button that changes it.
#[component]
pub(crate) fn Following(props: &FollowingProps) -> Html {
    let update = use_force_update();
    let input = LiveInput::default();
    use_polling(&input);
    {
        let update = update.clone();
        use_effect_with(Rc::clone(&props.scenario), move |scenario| {
            // The playground writes its address after the first change.
            let is_start = bridge::fragment().is_empty();
            FOLLOW.with_borrow_mut(|follow| follow.shown(scenario, is_start));
            update.force_update();
        });
    }
    let live = with_monitor(|monitor| {
        let reading = monitor.last()?;
        LiveStage::new(&props.scenario, reading, "").ok()
    })
    .map(|stage| stage.scenario);
    {
        let on_action = props.on_action.clone();
        use_effect_with(live.clone(), move |live| {
            let next = live
                .as_ref()
                .and_then(|live| FOLLOW.with_borrow_mut(|follow| follow.next(live)));
            if let Some(next) = next {
                on_action.emit(ScreenAction::Follow(Box::new(next)));
            }
        });
    }
    let is_on = FOLLOW.with_borrow(Follow::is_on);
    let onclick = {
        let on_action = props.on_action.clone();
        let live = live.clone();
        Callback::from(move |_: MouseEvent| {
            match (is_on, &live) {
                (true, _) => stop_following(),
                (false, Some(live)) => {
                    FOLLOW.with_borrow_mut(|follow| follow.resume(live));
                    on_action.emit(ScreenAction::Open(Box::new((**live).clone())));
                }
                (false, None) => {}
            }
            update.force_update();
        })
    };
    let (text, verb) = if is_on {
        (LiveMessage::Following, "Stop following")
    } else {
        (LiveMessage::NotFollowing, "Follow Envoy")
    };
    let button = Button {
        class: "",
        test: Some("follow".into()),
        name: None,
        text: verb.into(),
        disabled: !is_on && live.is_none(),
        onclick,
    };
    html! {
        <div class="following">
            <p data-said="yes" data-test="following">{ text.to_string() }</p>
            <Age />
            { button.view() }
        </div>
    }
}
