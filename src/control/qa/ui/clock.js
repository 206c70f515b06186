import { siteTime } from './bar.js';
import { wall } from './format.js';
import { submitting } from './forms.js';
import { html, useState } from './htm.js';

const STEPS = { '−1 day': '-1 day', '+1 hour': '1 hour', '+1 day': '1 day', '+1 week': '1 week', '+1 month': '1 month' };

/** Sets and advances the clock. */
export function ClockPanel({ model }) {
  const { api, state } = model;
  const { clock } = state;
  const [advance, setAdvance] = useState('1 day');
  const change = (body) =>
    model.act(async () => {
      const { now, frozen } = await api.call('PUT', 'clock', { body });
      return `The clock is at ${wall(Date.parse(now), clock.offset)} (${clock.timezone}) and ${frozen ? 'frozen' : 'running'}.`;
    });
  // The server knows the time zones of the site; a browser may have other data.
  const set = ({ now }) => change({ local: now });
  return html`
    <div class="row" role="group" aria-label="State of the clock">
      <button type="button" id="clock-freeze" disabled=${clock.frozen} onclick=${() => change({ frozen: true })}>Freeze</button>
      <button type="button" id="clock-run" disabled=${!clock.frozen} onclick=${() => change({ frozen: false })}>Run</button>
      <button type="button" id="clock-real" onclick=${() => change({ real: true })}>Real time</button>
    </div>
    <div class="row" role="group" aria-label="Advance by">
      ${Object.entries(STEPS).map(
        ([text, step]) =>
          html`<button type="button" class="small" data-advance=${step} onclick=${() => change({ advance: step })}>${text}</button>`,
      )}
    </div>
    <div class="pair">
      <form id="clock-advance" class="row" onsubmit=${submitting(change)}>
        <label class="grow"
          >Advance by
          <input name="advance" value=${advance} autocomplete="off" required oninput=${({ target }) => setAdvance(target.value)} />
        </label>
        <button>Advance</button>
      </form>
      <form id="clock-set" class="row" onsubmit=${submitting(set)}>
        <label class="grow"
          >Set to (${clock.timezone})
          <input type="datetime-local" name="now" step="1" required defaultValue=${wall(siteTime(model), clock.offset).replace(' ', 'T')} />
        </label>
        <button>Set</button>
      </form>
    </div>
  `;
}
