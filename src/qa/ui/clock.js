import { onSubmit } from './dom.js';

const TICK_MS = 1000;

/** Formats a time: `2026-06-15 12:00:00 UTC`. */
export const written = (moment) => `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Shows and controls the clock. */
export function clockPanel({ window, document, api, act }) {
  const by = (id) => document.getElementById(id);
  let moment = 0;
  let frozen = true;
  let shownAt = 0;

  const tick = () => {
    const now = frozen ? moment : moment + (window.performance.now() - shownAt);
    const text = written(now);
    if (by('clock-now').textContent !== text) by('clock-now').textContent = text;
    by('clock-now').setAttribute('datetime', new Date(now).toISOString());
  };

  const show = (clock) => {
    ({ frozen } = clock);
    moment = Date.parse(clock.now);
    shownAt = window.performance.now();
    by('clock-state').textContent = frozen ? 'frozen' : 'running';
    by('clock-state').className = frozen ? 'badge warm' : 'badge';
    by('clock-freeze').disabled = frozen;
    by('clock-run').disabled = !frozen;
    const input = by('clock-set').elements.namedItem('now');
    if (document.activeElement !== input) input.value = new Date(moment).toISOString().slice(0, 19);
    tick();
  };

  const change = (fields) =>
    act(async () => {
      const clock = await api.call('PUT', 'clock', fields);
      show(clock);
      return `The clock is at ${written(clock.now)} and ${clock.frozen ? 'frozen' : 'running'}.`;
    });

  by('clock-freeze').addEventListener('click', () => change({ frozen: true }));
  by('clock-run').addEventListener('click', () => change({ frozen: false }));
  by('clock-real').addEventListener('click', () => change({ real: true }));
  by('clock-steps').addEventListener('click', ({ target }) => {
    const { advance } = target.dataset;
    if (advance !== undefined) void change({ advance });
  });
  onSubmit(by('clock-advance'), change);
  onSubmit(by('clock-set'), ({ now }) => change({ now: `${now}Z` }));
  const timer = window.setInterval(tick, TICK_MS);
  return {
    refresh: async () => show(await api.call('GET', 'clock')),
    end: () => window.clearInterval(timer),
  };
}
