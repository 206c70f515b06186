import { Suspense } from 'react';
import { nextEvents, passedOn } from './calendar.js';

/** Depends on the headers of the request, so it is sent after the rest of the page. */
async function Events() {
  const events = await nextEvents(await passedOn()).catch(() => null);
  if (events === null) return <p>Please come back soon</p>;
  return (
    <ul>
      {events.map(({ id, title }) => (
        // Titles are HTML.
        <li key={id} dangerouslySetInnerHTML={{ __html: title }} />
      ))}
    </ul>
  );
}

export default function Page() {
  return (
    <main>
      <h1>What is on</h1>
      <Suspense fallback={<p>…</p>}>
        <Events />
      </Suspense>
    </main>
  );
}
