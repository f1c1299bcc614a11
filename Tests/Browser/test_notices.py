"""The notices that go with the page."""

from looking import Shown
from notices import missing, parts, unclaimed, without
from serving import PAGE


def test_each_file_of_the_page_is_one_of_a_part():
    files = [path.name for path in PAGE.iterdir()]
    assert len(files) == 5
    assert unclaimed("page", "files", files) == []


def test_the_page_has_the_notice_of_each_part():
    text = (PAGE / "licences.txt").read_text("utf-8")
    assert missing("page", text, []) == []
    for part in parts():
        if "page" in part.packages:
            assert missing("page", without(text, part), []) == [part.name]


def test_a_link_of_the_page_leads_to_them(shown: Shown):
    shown.open()
    link = shown.page.get_by_role("link", name="Licences of all parts")
    assert link.is_visible()
    answer = shown.page.request.get(link.evaluate("link => link.href"))
    assert answer.ok and "Notice: Mbed TLS" in answer.text()
