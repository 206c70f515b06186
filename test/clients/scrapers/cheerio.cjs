// The events of a list, as scrapers with cheerio read them: by selectors.
const cheerio = require('cheerio');

async function main() {
  const events = [];
  for (let url = process.argv[2]; url;) {
    const $ = cheerio.load(await (await fetch(url)).text());
    $('article.tribe-events-calendar-list__event').each((_, element) => {
      const event = $(element);
      const link = event.find('h4.tribe-events-calendar-list__event-title a');
      events.push({
        title: link.text().trim(),
        url: link.attr('href'),
        start: event.find('time.tribe-events-calendar-list__event-datetime').attr('datetime'),
        venue: event.find('address .tribe-events-calendar-list__event-venue-title').text().trim() || null,
        cost: event.find('.tribe-events-c-small-cta__price').text().trim() || null,
      });
    });
    url = $('a.tribe-events-c-nav__next').attr('href');
  }
  console.log(JSON.stringify(events));
}

void main();
