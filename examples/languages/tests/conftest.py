import json, os, urllib.request, uuid
import pytest

SERVER = os.environ.get("UNDERSTUDY_URL", "http://127.0.0.1:8080")


def send(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read())


class Calendar:
    def __init__(self):
        self.name = "py-" + uuid.uuid4().hex[:12]
        self.url = f"{SERVER}/__sandbox/{self.name}"
        send("PUT", f"{SERVER}/__qa/sandboxes/{self.name}")

    def qa(self, method, path, body=None):
        return send(method, f"{self.url}/__qa/{path}", body)


@pytest.fixture
def calendar(request):
    calendar = Calendar()
    yield calendar
    send("DELETE", f"{SERVER}/__qa/sandboxes/{calendar.name}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report, calendar = outcome.get_result(), getattr(item, "funcargs", {}).get("calendar")
    if report.failed and call.when == "call" and calendar:
        entries = calendar.qa("GET", "journal")["entries"]
        lines = [f"{each['method']} {each['path']}: {each['status']}" for each in entries]
        report.sections.append(("requests to the calendar", "\n".join(lines)))
