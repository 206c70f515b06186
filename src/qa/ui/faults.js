import { make, onSubmit } from './dom.js';

/** Predefined rules, by label. */
export const PRESETS = {
  'Server error (500)': { effect: { status: 500 } },
  'Too many requests (429)': { effect: { status: 429 } },
  'Bad gateway (502)': { effect: { status: 502 } },
  'Every third request fails (500)': { every: 3, effect: { status: 500 } },
  'One request in five fails (503)': { probability: 0.2, seed: 1, effect: { status: 503 } },
  'Two failures, then success': { sequence: [{ status: 503 }, { status: 503 }] },
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

function describeEffect(effect) {
  if (effect === 'ok') return 'ok';
  const { body, headers, ...told } = typeof effect.delay === 'number' ? { ...effect, delay: `${effect.delay} ms` } : effect;
  const parts = Object.entries(told).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [...parts, ...(body === undefined ? [] : ['custom body']), ...(headers === undefined ? [] : ['custom headers'])].join(', ');
}

const AT_END = { stop: 'then nothing', repeat: 'then again', stay: 'which stays' };

/** Describes the effects of a rule. */
export function describe({ profile, effect, sequence, atEnd = 'stop' }) {
  if (profile !== undefined) return profile;
  return sequence === undefined ? describeEffect(effect) : `${sequence.map(describeEffect).join(' → ')}, ${AT_END[atEnd]}`;
}

const ordinal = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;

/** Describes which of the matching requests a rule affects. */
function schedule({ skip, every, probability, times, seed, id }) {
  return [
    skip !== undefined && `after ${skip}`,
    every !== undefined && `every ${ordinal(every)}`,
    probability !== undefined && `${Math.round(probability * 1000) / 10} % of them, seed ${seed ?? id}`,
    times !== undefined && `${times} at most`,
  ].filter(Boolean);
}

/** Describes the requests that a rule matches. */
function scope(rule) {
  const { profile, match = {} } = rule;
  const { method, path, regex, ...rest } = profile === undefined ? match : {};
  const parts = [
    [method].flat().filter(Boolean).join(', '),
    path ?? '',
    regex === undefined ? '' : `/${regex}/`,
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  ].filter((part) => part !== '');
  const where = parts.length > 0 ? parts.join(' ') : profile === undefined ? 'all requests' : 'requests of the profile';
  return [where, ...schedule(rule)].join(', ');
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
        rule.scenario !== undefined && make(document, 'span', { class: 'badge' }, rule.scenario),
        make(
          document,
          'span',
          { class: rule.hits > 0 ? 'badge warm' : 'badge' },
          rule.seen > rule.hits ? `hit ${rule.hits} of ${rule.seen}` : `hit ${rule.hits}×`,
        ),
        make(
          document,
          'button',
          { type: 'button', class: 'small', 'aria-label': `Remove fault ${rule.id}`, onclick: () => change('DELETE', `faults/${rule.id}`) },
          'Remove',
        ),
      ),
    );

  const control = (name, action, body, message) =>
    act(async () => {
      await api.call('POST', `faults/scenarios/${encodeURIComponent(name)}/${action}`, body);
      await refresh();
      return message;
    });

  const stopButton = (name) => {
    const onclick = () => control(name, 'stop', {}, `Stopped scenario ${name}.`);
    return make(document, 'button', { type: 'button', class: 'small', 'aria-label': `Stop scenario ${name}`, onclick }, 'Stop');
  };

  const activeItem = ({ name, description = '' }) =>
    make(
      document,
      'li',
      {},
      make(document, 'strong', {}, name),
      make(document, 'span', { class: 'quiet' }, description),
      make(document, 'span', { class: 'row' }, stopButton(name)),
    );

  /** Names of the scenarios that can be selected. */
  let offered = '';
  const showScenarios = (scenarios) => {
    by('scenarios').replaceChildren(...scenarios.filter(({ active }) => active).map(activeItem));
    const names = scenarios.map(({ name }) => name).join();
    // Keep the selection.
    if (names === offered) return;
    offered = names;
    by('scenario-name').replaceChildren(
      ...scenarios.map(({ name, description }) => make(document, 'option', { value: name, title: description }, name)),
    );
  };

  let known = '';
  const refresh = async () => {
    const [{ faults }, { scenarios }] = await Promise.all([api.call('GET', 'faults'), api.call('GET', 'faults/scenarios')]);
    const text = JSON.stringify([faults, scenarios]);
    // Keep the focus unless something has changed.
    if (text === known) return;
    known = text;
    showScenarios(scenarios);
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
  onSubmit(by('scenario-start'), ({ scenario, path }) =>
    control(scenario, 'start', path === undefined ? {} : { match: { path } }, `Started scenario ${scenario}.`),
  );
  by('faults-clear').addEventListener('click', () => change('DELETE', 'faults'));
  return { refresh };
}
