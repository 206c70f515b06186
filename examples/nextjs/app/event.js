const read = async (path, headers = {}) => {
  const response = await fetch(`${process.env.CALENDAR_URL}/wp-json/wp/v2/tribe_events/${path}`, { cache: 'no-store', headers });
  return response.ok ? response.json() : null;
};

/** What visitors see of an event; null if it is not published. */
export const published = (id) => read(id);

/** What editors see in a preview: drafts too, with what is typed and not saved yet. */
export async function preview(id) {
  const headers = { authorization: `Basic ${btoa(process.env.CALENDAR_LOGIN)}` };
  const [event, autosaves] = await Promise.all([read(id, headers), read(`${id}/autosaves`, headers)]);
  const [{ title, content } = {}] = autosaves ?? [];
  return event && { ...event, ...(title && { title, content }) };
}
