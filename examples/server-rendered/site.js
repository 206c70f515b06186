import { createServer } from 'node:http';

/** Only tests send this header: it says which calendar a page is for. */
const passedOn = ({ 'x-understudy-sandbox': sandbox }) => (sandbox === undefined ? {} : { 'X-Understudy-Sandbox': sandbox });

/** The page with the next events. */
async function page(calendarUrl, headers) {
  const response = await fetch(`${calendarUrl}/wp-json/tribe/events/v1/events?per_page=5`, { headers: passedOn(headers) });
  if (!response.ok) return '<p>Please come back soon.</p>';
  const { events } = await response.json();
  return `<ul>${events.map(({ title }) => `<li>${title}</li>`).join('')}</ul>`;
}

/** Starts a site that is rendered on the server. It knows one URL of the calendar. */
export async function startSite(calendarUrl) {
  const site = createServer(({ headers }, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    void page(calendarUrl, headers).then((html) => response.end(html));
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${site.address().port}`,
    stop: () => new Promise((resolve) => site.close(resolve)),
  };
}
