//! Both sides, and the buttons that change them.

use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use crate::{
    state::{CompareChange, ComparedSide, ScreenAction, SideSource},
    view::{parts::text_button, screens::compare::side_title},
};

/// The old side and the new one.
pub(super) fn sides(
    old: &ComparedSide,
    new: &EditedScenario,
    on_action: &Callback<ScreenAction>,
) -> Html {
    let button = |text: &str, test: &str, action: ScreenAction| {
        text_button(
            text,
            test,
            on_action.reform(move |_: MouseEvent| action.clone()),
        )
    };
    let change = |text: &str, test: &str, change| button(text, test, ScreenAction::Compare(change));
    let is_kept = old.source != SideSource::Opened;
    html! {
        <div class="sides">
            <section aria-label="Old side">
                <p><span class="eyebrow">{ "Old" }</span>{ " " }<span data-test="compare-old">{ side_title(&old.scenario, Some(old.source)) }</span></p>
                <p class="copies">
                    if is_kept {
                        { change("Compare with your edits only", "compare-forget", CompareChange::Forget) }
                    }
                    { change("Exchange sides", "compare-swap", CompareChange::Swap) }
                </p>
            </section>
            <section aria-label="New side">
                <p><span class="eyebrow">{ "New" }</span>{ " " }<span data-test="compare-new">{ side_title(new, None) }</span></p>
                <p class="copies">
                    { change("Keep as the old side", "compare-keep", CompareChange::Keep) }
                    { button("Import the new side", "compare-import", ScreenAction::Import) }
                </p>
            </section>
        </div>
    }
}
