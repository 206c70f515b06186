import { make, onSubmit } from './dom.js';

/** Predefined rules, by label. */
export const PRESETS = {
  'Server error (500)': { effect: { status: 500 } },
  'Too many requests (429)': { effect: { status: 429 } },
  'Bad gateway (502)': { effect: { status: 502 } },
  'Delay: 2 seconds': { effect: { delay: 2000 } },
  'Random delay, around half a second': { effect: { delay: { lognormal: { median: 500, sigma: 0.6 } } } },
  'Trickle: 2 kB per second': { effect: { bytesPerSecond: 2000 } },
  'Connection dropped before the response': { effect: { drop: 'before' } },
  'Connection dropped in the middle of the body': { effect: { drop: 'mid-body' } },
  'Body cut off after half': { effect: { truncate: true } },
  'Maintenance (503)': { profile: 'maintenance' },
  'Forbidden by a firewall (403)': { profile: 'forbidden' },
  'REST API closed to visitors (401)': { profile: 'rest-disabled' },
};

const EXAMPLE = { match: { method: 'POST', path: '/tribe/events/v1/**' }, times: 1, effect: { delay: 500, status: 500 } };

/** Describes the effects of a rule. */
export function describe({ profile, effect }) {
  if (profile !== undefined) return profile;
  const { body, headers, ...told } = typeof effect.delay === 'number' ? { ...effect, delay: `${effect.delay} ms` } : effect;
  const parts = Object.entries(told).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [...parts, ...(body === undefined ? [] : ['custom body']), ...(headers === undefined ? [] : ['custom headers'])].join(', ');
}

/** Describes the requests that a rule matches. */
function scope({ profile, match = {}, times, skip }) {
  const { method, path, regex, ...rest } = profile === undefined ? match : {};
  const parts = [
    [method].flat().filter(Boolean).join(', '),
    path ?? '',
    regex === undefined ? '' : `/${regex}/`,
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  ].filter((part) => part !== '');
  const where = parts.length > 0 ? parts.join(' ') : profile === undefined ? 'all requests' : 'requests of the profile';
  return `${where}${skip === undefined ? '' : `, after ${skip}`}${times === undefined ? '' : `, ${times} at most`}`;
}

/** Shows and controls the faults. */
export function faultsPanel({ document, api, act }) {
  const by = (id) => document.getElementById(id);
  by('fault-preset').replaceChildren(...Object.keys(PRESETS).map((name) => make(document, 'option', {}, name)));
  by('fault-json').value = JSON.stringify(EXAMPLE, null, 2);

  const item = (rule) =>
    make(
      document,
      'li',
      {},
      make(document, 'strong', {}, describe(rule)),
      make(document, 'span', { class: 'quiet' }, scope(rule)),
      make(
        document,
        'span',
        { class: 'row' },
        make(document, 'span', { class: rule.hits > 0 ? 'badge warm' : 'badge' }, `hit ${rule.hits}×`),
        make(
          document,
          'button',
          { type: 'button', class: 'small', 'aria-label': `Remove fault ${rule.id}`, onclick: () => change('DELETE', `faults/${rule.id}`) },
          'Remove',
        ),
      ),
    );

  let known = '';
  const refresh = async () => {
    const { faults } = await api.call('GET', 'faults');
    const text = JSON.stringify(faults);
    // Keep the focus unless something has changed.
    if (text === known) return;
    known = text;
    by('faults').replaceChildren(...faults.map(item));
    by('faults-clear').hidden = faults.length < 2;
  };

  const change = (method, path, body) =>
    act(async () => {
      const { id } = await api.call(method, path, body);
      await refresh();
      return method === 'POST' ? `Fault ${id} added.` : 'Removed.';
    });

  onSubmit(by('fault-add'), ({ preset, path, times }) => {
    const rule = PRESETS[preset];
    const limit = times === undefined ? {} : { times: Number(times) };
    // A profile has its own match.
    const match = path === undefined || rule.profile !== undefined ? {} : { match: { path } };
    return change('POST', 'faults', { ...match, ...limit, ...rule });
  });
  by('fault-preset').addEventListener('change', ({ target }) => {
    by('fault-add').elements.namedItem('path').disabled = PRESETS[target.value].profile !== undefined;
  });
  onSubmit(by('fault-rule'), ({ rule }) =>
    act(async () => {
      let value;
      try {
        value = JSON.parse(rule ?? '');
      } catch (error) {
        throw new Error(`The rule is not JSON: ${error.message}`, { cause: error });
      }
      const { id } = await api.call('POST', 'faults', value);
      await refresh();
      return `Fault ${id} added.`;
    }),
  );
  by('faults-clear').addEventListener('click', () => change('DELETE', 'faults'));
  return { refresh };
}
