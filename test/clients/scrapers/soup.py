"""The events of a list, as scrapers with BeautifulSoup read them: by tag, and by class attributes as a whole."""

import json
import sys
from urllib.request import urlopen

from bs4 import BeautifulSoup

url = sys.argv[1]
events = []
while url:
    soup = BeautifulSoup(urlopen(url).read(), "html.parser")
    for row in soup.find_all("li", class_="tribe-common-g-row tribe-events-calendar-list__event-row") + soup.find_all(
        "li", class_="tribe-events-calendar-list__event-row--featured"
    ):
        link = row.find("a", class_="tribe-events-calendar-list__event-title-link tribe-common-anchor-thin")
        venue = row.find("span", class_="tribe-events-calendar-list__event-venue-title tribe-common-b2--bold")
        price = row.find("span", {"class": "tribe-events-c-small-cta__price"})
        events.append(
            {
                "title": link.get_text(strip=True),
                "url": link["href"],
                "start": row.find("time", class_="tribe-events-calendar-list__event-datetime")["datetime"],
                "venue": venue.get_text(strip=True) if venue else None,
                "cost": price.get_text(strip=True) if price else None,
            }
        )
    following = soup.find("a", class_="tribe-events-c-nav__next")
    url = following["href"] if following else None
print(json.dumps(events))
