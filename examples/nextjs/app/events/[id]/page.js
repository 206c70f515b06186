import { draftMode } from 'next/headers';
import { notFound } from 'next/navigation';
import { preview, published } from '../../event.js';

export default async function Page({ params }) {
  const { id } = await params;
  const { isEnabled } = await draftMode();
  const event = await (isEnabled ? preview(id) : published(id));
  if (!event) notFound();
  return (
    <main>
      <h1 dangerouslySetInnerHTML={{ __html: event.title.rendered }} />
      <div dangerouslySetInnerHTML={{ __html: event.content.rendered }} />
    </main>
  );
}
