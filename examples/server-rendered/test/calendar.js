import { useUnderstudy } from 'wp-understudy/vitest';

export const understudy = useUnderstudy({
  url: process.env.CALENDAR_URL,
  dataset: 'dataset.json',
  now: '2026-06-15T12:00:00Z',
  strict: true,
});

/** The page, as a visitor with the calendar of this test gets it. */
export async function visit() {
  const response = await fetch(process.env.SITE_URL, { headers: understudy.headers });
  return response.text();
}
