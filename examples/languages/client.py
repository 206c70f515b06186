import requests

EVENTS = "http://127.0.0.1:8080/wp-json/tribe/events/v1/events"


def all_events():
    page = 1
    while True:
        response = requests.get(EVENTS, params={"page": page, "per_page": 10}, timeout=10)
        if response.status_code == 404:  # past the last page
            return
        response.raise_for_status()
        yield from response.json()["events"]
        page += 1


def simplify(event):
    return {
        "title": event["title"],
        "image": event["image"]["url"] if event["image"] else None,  # false: no image
        "venue": event["venue"]["venue"] if event["venue"] else None,  # []: no venue
        "all_day": event["all_day"],  # None: protected by a password
    }


events = [simplify(event) for event in all_events()]
for field in ("image", "venue", "all_day"):
    print(field, sum(event[field] is None for event in events), "of", len(events))
