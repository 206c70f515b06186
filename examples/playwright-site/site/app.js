import { createClient } from 'wp-understudy/client';

const restUrl = new URLSearchParams(location.search).get('api');
const client = createClient({ restUrl });
const list = document.querySelector('#events');

try {
  for await (const event of client.events.all({ per_page: 2 })) {
    const item = document.createElement('li');
    // The service answers titles as HTML.
    item.innerHTML = event.title;
    list.append(item);
  }
} catch (error) {
  document.querySelector('#message').textContent = `The calendar cannot be read now (${error.status ?? error.name}).`;
}
document.body.dataset.ready = 'true';
