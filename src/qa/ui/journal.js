import { fieldsOf, make } from './dom.js';

/** Rows that are shown at most; the journal itself may hold more. */
const MOST = 200;

const pretty = (body) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

const kind = (status) => (status === 0 ? 's0' : `s${String(status)[0]}`);

/** What was asked and answered, as it happens. */
export function journalPanel({ window, document, api, act }) {
  const by = (id) => document.getElementById(id);
  /** Number of the latest entry that is shown. */
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

  const save = (id) =>
    act(async () => {
      const response = await api.send('GET', `journal/${id}/case`);
      const text = await response.text();
      if (!response.ok) throw new Error(JSON.parse(text).message);
      const href = window.URL.createObjectURL(new window.Blob([text], { type: 'application/json' }));
      make(document, 'a', { href, download: `journal-${id}.json` }).click();
      window.URL.revokeObjectURL(href);
      return `Entry ${id} is saved as a test case.`;
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
        make(document, 'span', { class: 'quiet' }, `Clock of the site: ${clock}`),
        cut === true && make(document, 'span', { class: 'quiet' }, 'Bodies were not kept: too large, or too long ago.'),
        make(document, 'button', { type: 'button', class: 'small', onclick: () => save(id) }, 'Save as test case'),
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

  const notes = ({ fault, warnings = [] }) => [
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
    const title = warnings.length === 1 ? '1 thing was ignored' : `${warnings.length} things were ignored`;
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

  /** Shows what came since the last time. @returns whether there was something */
  async function refresh() {
    const since = last;
    const query = new URLSearchParams({ ...filters(), since: String(since), limit: String(MOST) });
    const answer = await api.call('GET', `journal?${query}`);
    // A change of the filter meanwhile began anew.
    if (last !== since) return false;
    const { entries } = answer;
    total += answer.total;
    const shown = onlyWarned() ? entries.filter(({ warnings }) => warnings !== undefined) : entries;
    by('journal-rows').prepend(...shown.map(rowOf).toReversed());
    for (const row of [...by('journal-rows').children].slice(MOST)) row.remove();
    if (entries.length > 0) last = entries.at(-1).id;
    by('journal-count').textContent = total === 1 ? '1 request' : `${total} requests`;
    by('journal-empty').hidden = by('journal-rows').childElementCount > 0;
    if (entries.length > 0 || since === 0) await showWarnings();
    return entries.length > 0;
  }

  const anew = () =>
    act(async () => {
      clear();
      await refresh();
      return '';
    });
  by('journal-filter').addEventListener('submit', (event) => event.preventDefault());
  by('journal-filter').addEventListener('change', () => void anew());
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
