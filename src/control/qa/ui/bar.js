import { describe, scope } from './rules/fault-words.js';
import { counted, wall } from './format.js';
import { html, useEffect, useState } from './htm.js';
import { Environments } from './environments.js';

const SECOND = 1000;

/** Draws a component again every second. */
export function useTick(window) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => window.document.hidden || tick((times) => times + 1), SECOND);
    return () => window.clearInterval(timer);
  }, [window]);
}

/** The time of the site, in ms since 1970 UTC. */
export function siteTime({ state: { clock }, received, window }) {
  return Date.parse(clock.now) + (clock.frozen ? 0 : window.performance.now() - received);
}

function Clock({ model }) {
  const { clock } = model.state;
  useTick(model.window);
  const now = siteTime(model);
  const toggle = () =>
    model.act(async () => {
      const { frozen } = await model.api.call('PUT', 'clock', { body: { frozen: !clock.frozen } });
      return frozen ? 'The clock is frozen.' : 'The clock runs.';
    });
  return html`<div class="clock">
    <time id="clock-local" datetime=${new Date(now).toISOString()}>${wall(now, clock.offset)}</time>
    <span class="quiet zone">${clock.timezone}</span>
    <span class="quiet utc" id="clock-utc">${wall(now).slice(11, 16)}<span class="seconds">${wall(now).slice(16)}</span> UTC</span>
    <span id="clock-state" class=${clock.frozen ? 'badge warm' : 'badge'}>${clock.frozen ? 'frozen' : 'live'}</span>
    <button type="button" id="clock-toggle" class="small" onclick=${toggle}>${clock.frozen ? 'Run' : 'Freeze'}</button>
  </div>`;
}

/** Active faults, of which a scenario is one. */
function chipsOf(faults) {
  const single = faults.filter(({ scenario }) => scenario === undefined);
  const scenarios = [...new Set(faults.flatMap(({ scenario }) => scenario ?? []))];
  return [
    ...scenarios.map((name) => ({
      key: `scenario ${name}`,
      text: name,
      title: `Scenario ${name}`,
      hits: faults.filter(({ scenario }) => scenario === name).reduce((sum, { hits }) => sum + hits, 0),
      label: `Stop scenario ${name}`,
      remove: (api) => api.call('POST', `faults/scenarios/${encodeURIComponent(name)}/stop`, { body: {} }),
    })),
    ...single.map((rule) => ({
      key: `fault ${rule.id}`,
      text: `${describe(rule)} · ${scope(rule)}`,
      title: `Fault ${rule.id}: ${describe(rule)}, ${scope(rule)}`,
      hits: rule.hits,
      label: `Remove fault ${rule.id}`,
      remove: (api) => api.call('DELETE', `faults/${rule.id}`),
    })),
  ];
}

function Chips({ model }) {
  // Exhausted rules have no effect. They are still listed with the rules.
  const chips = chipsOf(model.state.faults.filter(({ times, hits }) => times === undefined || hits < times));
  const remove = (chip) =>
    model.act(async () => {
      await chip.remove(model.api);
      return `${chip.label.replace('Remove', 'Removed').replace('Stop', 'Stopped')}.`;
    });
  if (chips.length === 0) return html`<div class="chips quiet">No faults: requests get normal responses.</div>`;
  return html`<ul class="chips" aria-label="Active faults">
    ${chips.map(
      (chip) =>
        html`<li key=${chip.key} class="chip" title=${chip.title}>
          <span class="chip-text">${chip.text}</span>
          <span class="hits">${chip.hits}×</span>
          <button type="button" aria-label=${chip.label} onclick=${() => remove(chip)}>✕</button>
        </li>`,
    )}
  </ul>`;
}

const VIEWS = { journal: 'Journal', controls: 'Controls' };

/** Selects what phones show. */
const Views = ({ model }) =>
  html`<div class="views" role="group" aria-label="Show">
    ${Object.entries(VIEWS).map(
      ([view, name]) =>
        html`<button
          type="button"
          class="small"
          data-view=${view}
          aria-pressed=${String(model.view === view)}
          onclick=${() => model.set({ view })}
        >
          ${name}
        </button>`,
    )}
  </div>`;

const COUNTED = { events: 'event', venues: 'venue', organizers: 'organizer' };

/** The bar that is always visible: environment, time and active faults. */
export function StatusBar({ model }) {
  const { dataset, counts, url, profile, version, engine } = model.state;
  const about = `${url}: The Events Calendar ${version}, profile ${profile} (database: ${engine})`;
  const parts = [...Object.entries(COUNTED).map(([name, one]) => counted(counts[name] ?? 0, one)), `TEC ${version}, ${profile}`];
  return html`<header class="bar">
    <div class="bar-row">
      <h1>Understudy</h1>
      <${Environments} model=${model} />
      <p id="dataset" class="dataset" title=${about}>
        <strong>${dataset ?? 'Stored content'}</strong>
        <span class="quiet">${parts.join(' · ')}</span>
      </p>
      <nav aria-label="Understudy">
        <a href="explorer">API</a>
        <a href=${`${url}/events/`} target="_blank" rel="noopener">Site<span aria-hidden="true"> ↗</span></a>
      </nav>
    </div>
    <div class="bar-row second">
      <${Clock} model=${model} />
      <${Chips} model=${model} />
      <${Views} model=${model} />
    </div>
  </header>`;
}
