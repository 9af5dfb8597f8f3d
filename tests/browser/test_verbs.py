"""What a verb carries besides its targets: its group, its check mark, what it asks before the order, and its form; with
everything acted out.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough

SEATS = {"red": "human", "blue": "greedy"}


@pytest.fixture
def post(cinema: Table) -> Table:
    """Red moves first, and its post in front is chosen."""
    cinema.begin("toy-lane", "verbs", **SEATS)
    cinema.sit_down()
    cinema.part("verb-bid").click()
    cinema.part("preview").get_by_label("bid 3").check()
    cinema.part("confirm").click()
    cinema.expect_step("move")
    cinema.part("map").focus()
    cinema.click("0304")
    expect(cinema.part("verb-signal")).to_be_visible()
    return cinema


def test_verbs_lie_in_the_groups_that_the_rules_name(post: Table) -> None:
    groups = post.part("orders").get_by_role("group")
    expect(groups).to_have_count(3)
    assert [group.get_attribute("aria-label") for group in groups.all()] == ["Posts", "Fire", "Staff work"]
    staff = post.part("orders").get_by_role("group", name="Staff work")
    assert [button.inner_text().split()[0] for button in staff.get_by_role("button").all()] == ["Signal", "Retire"]


def test_a_verb_that_the_chosen_unit_is_at_already_has_a_check_mark(post: Table) -> None:
    expect(post.part("verb-watch")).not_to_contain_text("✓")
    post.press("w")
    expect(post.part("confirm")).to_be_enabled()
    post.press("Enter")
    # a post that has acted can't be told to watch once more, but that is what it does
    expect(post.part("verb-watch")).to_contain_text("✓")
    expect(post.part("verb-watch")).to_have_attribute("aria-disabled", "true")
    post.click_end()
    post.part("verb-bid").click()
    post.part("preview").get_by_label("bid 3").check()
    post.part("confirm").click()
    post.expect_step("move")
    post.click("0304")
    expect(post.part("verb-watch")).to_have_accessible_name("✓ at it already: Watch W")
    post.click("0303")
    expect(post.part("verb-signal")).to_be_visible()
    expect(post.part("verb-watch")).not_to_contain_text("✓")


def test_what_is_to_be_thought_of_first_stands_above_the_button_and_nothing_goes_out_before(post: Table) -> None:
    post.press("t")
    expect(post.part("confirmation")).to_have_text("The post does not come back.")
    post.expect_said("The post does not come back.")
    expect(post.part("confirm")).to_be_enabled()
    post.press("Escape")
    expect(post.part("preview")).to_have_count(0)
    expect(post.part("log")).not_to_contain_text("Lost")
    post.press("t")
    expect(post.part("confirm")).to_be_enabled()
    post.press("Enter")
    expect(post.part("log")).to_contain_text("Lost")


def test_a_form_is_filled_in_before_the_order_is_given(post: Table) -> None:
    post.press("g")
    plan = post.part("preview")
    expect(plan.get_by_label("Color")).to_have_value("green")
    expect(plan.get_by_label("Times")).to_have_value("1")
    expect(plan.get_by_label("With a shout")).not_to_be_checked()
    plan.get_by_label("Color").select_option("red")
    plan.get_by_label("Times").fill("3")
    plan.get_by_label("With a shout").check()
    expect(post.part("confirm")).to_be_enabled()
    post.part("confirm").click()
    expect(post.part("log")).to_contain_text("red post 2 signals red three times with a shout.")
    # the next one begins with an empty form
    post.press("g")
    expect(plan.get_by_label("Color")).to_have_value("green")


def test_a_form_is_filled_in_by_keys_and_given_by_enter_in_any_of_its_fields(post: Table) -> None:
    post.press("g")
    times = post.part("preview").get_by_label("Times")
    expect(times).to_be_visible()
    times.focus()
    # figures and letters in a field are no orders
    post.press("Control+a", "2")
    expect(times).to_have_value("2")
    post.press("Enter")
    expect(post.part("log")).to_contain_text("red post 2 signals green twice.")
    expect(post.part("preview")).to_have_count(0)


def test_a_field_takes_no_figure_beyond_its_bounds_and_shows_what_it_took(post: Table) -> None:
    post.press("g")
    times = post.part("preview").get_by_label("Times")
    for written, taken in (("9", "3"), ("0", "1"), ("", "1"), ("-4", "1")):
        times.fill(written)
        times.blur()
        expect(times).to_have_value(taken)
    expect(post.part("confirm")).to_be_enabled()


def test_what_a_form_makes_unlawful_is_refused_with_its_rule_and_can_be_mended(post: Table) -> None:
    post.press("g")
    plan = post.part("preview")
    plan.get_by_label("Color").select_option("white")
    plan.get_by_label("With a shout").check()
    expect(plan).to_contain_text("Not lawful: Nobody shouts with a white flare.")
    expect(plan.get_by_role("button", name="TOY-1")).to_be_visible()
    expect(post.part("confirm")).to_be_disabled()
    plan.get_by_label("With a shout").uncheck()
    expect(post.part("confirm")).to_be_enabled()
    post.part("confirm").click()
    expect(post.part("log")).to_contain_text("red post 2 signals white once.")


def test_escape_leaves_a_form_from_inside_a_field(post: Table) -> None:
    post.press("g")
    post.part("preview").get_by_label("Color").focus()
    post.press("Escape")
    expect(post.part("preview")).to_have_count(0)
    expect(post.part("map")).to_be_focused()
