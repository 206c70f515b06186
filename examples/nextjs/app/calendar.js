/** The next events. What `fetch` got is kept until the tag `events` is revalidated. */
export async function nextEvents() {
  const response = await fetch(`${process.env.CALENDAR_URL}/wp-json/tribe/events/v1/events?per_page=5`, {
    cache: 'force-cache',
    next: { tags: ['events'] },
  });
  if (!response.ok) throw new Error(`The calendar responded with ${response.status}`);
  const { events } = await response.json();
  return events;
}
