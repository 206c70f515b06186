import { draftMode } from 'next/headers';
import { redirect } from 'next/navigation';

/** The address of previews: the query is that of the link which WordPress makes, with a secret of the site. */
export async function GET(request) {
  const query = new URL(request.url).searchParams;
  if (query.get('secret') !== process.env.PREVIEW_SECRET) return new Response(null, { status: 403 });
  (await draftMode()).enable();
  redirect(`/events/${Number(query.get('preview_id') ?? query.get('p'))}`);
}
