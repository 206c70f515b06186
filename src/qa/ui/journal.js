import { fieldsOf, make } from './dom.js';

/** Maximum number of rows. The journal may have more entries. */
const MAX_ROWS = 200;

const pretty = (body) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

const kind = (status) => (status === 0 ? 's0' : `s${String(status)[0]}`);

/** Shows the journal, live. */
export function journalPanel({ window, document, api, act }) {
  const by = (id) => document.getElementById(id);
  /** Id of the latest entry that is shown. */
  let last = 0;
  let total = 0;

  const filters = () => {
    const fields = fieldsOf(by('journal-filter'));
    delete fields.warned;
    return fields;
  };
  const onlyWarned = () => by('journal-filter').elements.namedItem('warned').checked;

  const part = (title, { headers, body }) => [
    make(document, 'h3', {}, title),
    make(
      document,
      'pre',
      { tabindex: '0', 'aria-label': `${title}: headers` },
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    ),
    body !== null && make(document, 'pre', { tabindex: '0', 'aria-label': `${title}: body` }, pretty(body)),
  ];

  const download = async (path, name) => {
    const response = await api.send('GET', path);
    const text = await response.text();
    if (!response.ok) throw new Error(JSON.parse(text).message);
    const href = window.URL.createObjectURL(new window.Blob([text], { type: 'application/json' }));
    make(document, 'a', { href, download: name }).click();
    window.URL.revokeObjectURL(href);
  };

  const save = (id) =>
    act(async () => {
      await download(`journal/${id}/case`, `journal-${id}.json`);
      return `Saved entry ${id} as a test case.`;
    });

  /** Copies a curl command. Browsers without access to the clipboard show it instead. */
  const copyCurl = (id, button) =>
    act(async () => {
      const response = await api.send('GET', `journal/${id}/curl`);
      const text = await response.text();
      if (!response.ok) throw new Error(JSON.parse(text).message);
      const line = text.trimEnd();
      try {
        await window.navigator.clipboard.writeText(line);
        return `Copied entry ${id} as a curl command. Secrets in it are variables, such as $PASSWORD.`;
      } catch {
        const place = button.closest('.details');
        place.querySelector('.curl')?.remove();
        button.parentElement.after(make(document, 'pre', { class: 'curl', tabindex: '0', 'aria-label': 'curl command' }, line));
        return 'The browser does not allow access to the clipboard. Copy the command from the entry.';
      }
    });

  async function details(id) {
    const { request, response, warnings = [], clock, cut } = await api.call('GET', `journal/${id}`);
    return make(
      document,
      'div',
      { class: 'details' },
      ...warnings.map(({ message }) => make(document, 'p', { class: 'warning' }, message)),
      make(
        document,
        'div',
        { class: 'row' },
        make(document, 'span', { class: 'quiet' }, `Site time: ${clock}`),
        cut === true && make(document, 'span', { class: 'quiet' }, 'Bodies were dropped: too large, or too old.'),
        make(
          document,
          'button',
          { type: 'button', class: 'small', 'data-copy': 'curl', onclick: ({ currentTarget }) => copyCurl(id, currentTarget) },
          'Copy as curl',
        ),
        make(document, 'button', { type: 'button', class: 'small', 'data-save': 'case', onclick: () => save(id) }, 'Save as test case'),
      ),
      make(document, 'div', {}, ...part('Request', request).filter(Boolean)),
      make(document, 'div', {}, ...part('Response', response).filter(Boolean)),
    );
  }

  async function toggle(button, row, id) {
    const opened = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!opened));
    if (opened) {
      row.nextElementSibling.remove();
      return;
    }
    const cell = make(document, 'td', { colspan: '7' }, 'Loading');
    row.after(make(document, 'tr', { class: 'opened' }, cell));
    await act(async () => {
      cell.replaceChildren(await details(id));
      return '';
    });
  }

  const notes = ({ fault, proxied, warnings = [] }) => [
    ...(proxied === undefined ? [] : [make(document, 'span', { class: 'badge' }, proxied)]),
    ...(fault === undefined ? [] : [make(document, 'span', { class: 'badge warm' }, `fault ${fault}`)]),
    ...(warnings.length > 0
      ? [
          make(
            document,
            'span',
            { class: 'badge warm', title: warnings.map(({ message }) => message).join('\n') },
            warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`,
          ),
        ]
      : []),
  ];

  function rowOf(entry) {
    const { id, at, method, url, status, ms, user } = entry;
    const button = make(
      document,
      'button',
      { type: 'button', class: 'entry', 'aria-expanded': 'false' },
      make(document, 'span', { class: 'method' }, method),
      ' ',
      url,
    );
    const row = make(
      document,
      'tr',
      {},
      make(document, 'td', {}, String(id)),
      make(document, 'td', {}, at.slice(11, 19)),
      make(document, 'td', {}, button),
      make(document, 'td', {}, make(document, 'span', { class: `status ${kind(status)}` }, status === 0 ? 'none' : String(status))),
      make(document, 'td', { class: 'number' }, ms.toFixed(1)),
      make(document, 'td', {}, user ?? ''),
      make(document, 'td', {}, ...notes(entry)),
    );
    button.addEventListener('click', () => void toggle(button, row, id));
    return row;
  }

  async function showWarnings() {
    const { warnings } = await api.call('GET', 'journal/lint');
    const lines = warnings.map(({ method, route, message, count }) =>
      make(document, 'li', {}, `${method} ${route}: ${message}`, ' ', make(document, 'span', { class: 'quiet' }, `${count}×`)),
    );
    const title = warnings.length === 1 ? '1 ignored parameter or field' : `${warnings.length} ignored parameters and fields`;
    by('journal-warnings').replaceChildren(
      ...(lines.length > 0
        ? [make(document, 'details', { class: 'warning' }, make(document, 'summary', {}, title), make(document, 'ul', {}, ...lines))]
        : []),
    );
  }

  const clear = () => {
    last = 0;
    total = 0;
    by('journal-rows').replaceChildren();
  };

  /** Shows new entries. @returns whether there were any */
  async function refresh() {
    const since = last;
    const query = new URLSearchParams({ ...filters(), since: String(since), limit: String(MAX_ROWS) });
    const page = await api.call('GET', `journal?${query}`);
    // The filter has changed in the meantime.
    if (last !== since) return false;
    const { entries } = page;
    total += page.total;
    const shown = onlyWarned() ? entries.filter(({ warnings }) => warnings !== undefined) : entries;
    by('journal-rows').prepend(...shown.map(rowOf).toReversed());
    for (const row of [...by('journal-rows').children].slice(MAX_ROWS)) row.remove();
    if (entries.length > 0) last = entries.at(-1).id;
    by('journal-count').textContent = total === 1 ? '1 request' : `${total} requests`;
    by('journal-empty').hidden = by('journal-rows').childElementCount > 0;
    if (entries.length > 0 || since === 0) await showWarnings();
    return entries.length > 0;
  }

  const reload = () =>
    act(async () => {
      clear();
      await refresh();
      return '';
    });
  by('journal-filter').addEventListener('submit', (event) => event.preventDefault());
  by('journal-filter').addEventListener('change', () => void reload());
  by('journal-har').addEventListener('click', () =>
    act(async () => {
      await download(`journal.har?${new URLSearchParams(filters())}`, 'journal.har');
      return 'Saved the journal as an HTTP Archive.';
    }),
  );
  by('journal-clear').addEventListener('click', () =>
    act(async () => {
      await api.call('DELETE', 'journal');
      clear();
      await refresh();
      return 'The journal is empty.';
    }),
  );
  return { refresh, clear, isLive: () => by('journal-live').checked };
}
