import { revalidateTag } from 'next/cache';

/** Called when the calendar has changed, and by tests: the next page asks the calendar again. */
export function POST(request) {
  if (request.headers.get('x-secret') !== process.env.REVALIDATE_SECRET) return new Response(null, { status: 403 });
  revalidateTag('events', { expire: 0 });
  return new Response(null, { status: 204 });
}
