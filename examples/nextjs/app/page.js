import Image from 'next/image';
import { nextEvents } from './calendar.js';

// Rendered for each request: during the build there is no calendar.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const events = await nextEvents();
  return (
    <main>
      <h1>What is on</h1>
      <ul>
        {events.map(({ id, title }) => (
          // Titles are HTML.
          <li key={id} dangerouslySetInnerHTML={{ __html: title }} />
        ))}
      </ul>
      {events.map(({ id, image }) => image && <Image key={id} src={image.url} width={image.width} height={image.height} alt="" />)}
    </main>
  );
}
