const restUrl = new URLSearchParams(location.search).get('api');
const response = await fetch(`${restUrl}/tribe/events/v1/events?per_page=5`);

if (response.ok) {
  const { events } = await response.json();
  for (const { title } of events) {
    const item = document.createElement('li');
    // Titles are HTML.
    item.innerHTML = title;
    document.querySelector('#events').append(item);
  }
} else {
  document.querySelector('#message').textContent = `The calendar cannot be read now (${response.status}).`;
}
