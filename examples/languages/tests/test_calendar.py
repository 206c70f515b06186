import urllib.error
import pytest
from conftest import send


def events(calendar):
    return send("GET", f"{calendar.url}/wp-json/tribe/events/v1/events")["events"]


def test_past_events_leave_the_list(calendar):
    calendar.qa("POST", "seed", {"events": [{"title": "Fair", "start": "+1d 10:00", "duration": "2h"}]})
    assert [event["title"] for event in events(calendar)] == ["Fair"]
    calendar.qa("PUT", "clock", {"advance": "3 days"})
    assert events(calendar) == []


def test_the_calendar_is_down(calendar):
    calendar.qa("POST", "faults", {"effect": {"status": 503}})
    with pytest.raises(urllib.error.HTTPError) as failure:
        events(calendar)
    assert failure.value.code == 503
    assert "html" in failure.value.headers["Content-Type"]
