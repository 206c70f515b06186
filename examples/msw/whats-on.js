const SITE = 'https://www.old-mill.example';

/** The next events of a calendar, as lines for the screen in the foyer. */
export async function whatsOn() {
  const response = await fetch(`${SITE}/wp-json/tribe/events/v1/events?per_page=5`);
  if (!response.ok) return ['The calendar is being updated. Please come back soon.'];
  const { events } = await response.json();
  return events.map(({ start_date, title }) => `${start_date.slice(0, 16)} ${title}`);
}
