import { connection } from 'next/server';
import { Suspense } from 'react';
import { nextEvents } from '../calendar.js';

/** Does not pass the sandbox on, which tests find. */
async function Count() {
  await connection();
  const events = await nextEvents();
  return <p>{events.length} events</p>;
}

export default function Page() {
  return (
    <Suspense fallback={<p>…</p>}>
      <Count />
    </Suspense>
  );
}
