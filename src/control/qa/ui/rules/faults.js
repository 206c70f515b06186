import { describe, PRESETS, QUICK, scope } from './fault-words.js';
import { counted } from '../format.js';
import { submitting } from '../forms.js';
import { html, useEffect, useState } from '../htm.js';

const EXAMPLE = { match: { method: 'POST', path: '/tribe/events/v1/**' }, times: 1, effect: { delay: 500, status: 500 } };

/** Adds a rule. The message can undo it. */
const addFault = (model, rule) =>
  model.act(async () => {
    const { id } = await model.api.call('POST', 'faults', { body: rule });
    const undo = async () => {
      await model.api.call('DELETE', `faults/${id}`);
      return `Removed fault ${id}.`;
    };
    return { text: `Fault ${id} added: ${describe(rule)}, ${scope(rule)}.`, undo };
  });

function RuleForm({ model }) {
  const [preset, setPreset] = useState(Object.keys(PRESETS)[0]);
  const isFixed = PRESETS[preset].profile !== undefined;
  const add = ({ path, times }) => {
    const limit = times === undefined ? {} : { times: Number(times) };
    // A profile has its own match.
    const match = path === undefined || isFixed ? {} : { match: { path } };
    return addFault(model, { ...match, ...limit, ...PRESETS[preset] });
  };
  return html`<form id="fault-add" class="row" onsubmit=${submitting(add)}>
    <label class="wide"
      >Effect
      <select name="preset" onchange=${({ target }) => setPreset(target.value)}>
        ${Object.keys(PRESETS).map((name) => html`<option selected=${name === preset}>${name}</option>`)}
      </select>
    </label>
    <label class="grow"
      >Paths
      <input
        name="path"
        placeholder="all, or /tribe/events/v1/**"
        autocomplete="off"
        disabled=${isFixed}
        title="* matches within a segment, ** across segments"
      />
    </label>
    <label class="narrow">Times <input name="times" type="number" min="1" placeholder="all" /></label>
    <button>Add</button>
  </form>`;
}

function ScenarioForm({ model }) {
  const [scenarios, setScenarios] = useState([]);
  useEffect(() => {
    model.api.call('GET', 'faults/scenarios').then(
      ({ scenarios: found }) => setScenarios(found),
      () => undefined,
    );
  }, []);
  const start = ({ scenario, path }) =>
    model.act(async () => {
      const body = path === undefined ? {} : { match: { path } };
      await model.api.call('POST', `faults/scenarios/${encodeURIComponent(scenario)}/start`, { body });
      return `Started scenario ${scenario}.`;
    });
  return html`<form id="scenario-start" class="row" onsubmit=${submitting(start)}>
    <label class="grow"
      >Scenario
      <select name="scenario">
        ${scenarios.map(({ name, description }) => html`<option key=${name} value=${name} title=${description}>${name}</option>`)}
      </select>
    </label>
    <label class="grow">Paths <input name="path" placeholder="all" autocomplete="off" /></label>
    <button>Start</button>
  </form>`;
}

function JsonForm({ model }) {
  const [text, setText] = useState(JSON.stringify(EXAMPLE, null, 2));
  const add = () => {
    try {
      return addFault(model, JSON.parse(text));
    } catch (error) {
      return model.set({ message: { text: `The rule is not JSON: ${error.message}`, failed: true } });
    }
  };
  return html`<details class="inner">
    <summary>Rule in JSON</summary>
    <form id="fault-rule" onsubmit=${submitting(add)}>
      <label class="wide"
        >Rule <textarea name="rule" rows="7" spellcheck="false" value=${text} oninput=${({ target }) => setText(target.value)}></textarea>
      </label>
      <div class="row"><button>Add rule</button></div>
    </form>
  </details>`;
}

/** Adds faults. Active ones are in the status bar, too. */
export function FaultsPanel({ model }) {
  const { faults } = model.state;
  const remove = (path, text) =>
    model.act(async () => {
      await model.api.call('DELETE', path);
      return text;
    });
  return html`
    <div class="row" role="group" aria-label="Break the next request">
      ${Object.entries(QUICK).map(
        ([name, rule]) =>
          html`<button type="button" class="small" data-quick=${name} onclick=${() => addFault(model, rule)}>${name}</button>`,
      )}
    </div>
    <${RuleForm} model=${model} />
    <${ScenarioForm} model=${model} />
    <${JsonForm} model=${model} />
    ${
      faults.length > 0 &&
      html`<details class="inner">
        <summary>${counted(faults.length, 'rule')}</summary>
        <ul id="faults" class="items" aria-label="Rules">
          ${faults.map(
            (rule) =>
              html`<li key=${rule.id}>
                <span class="grow"
                  ><strong>${describe(rule)}</strong
                  ><span class="quiet">${[scope(rule), rule.scenario].filter(Boolean).join(', ')}</span></span
                >
                <span class=${rule.hits > 0 ? 'badge warm' : 'badge'}
                  >${rule.seen > rule.hits ? `hit ${rule.hits} of ${rule.seen}` : `hit ${rule.hits}×`}</span
                >
                <button
                  type="button"
                  class="plain"
                  aria-label=${`Remove rule ${rule.id}`}
                  onclick=${() => remove(`faults/${rule.id}`, 'Removed.')}
                >
                  ✕
                </button>
              </li>`,
          )}
        </ul>
        <div class="row">
          <button type="button" id="faults-clear" class="small" onclick=${() => remove('faults', 'Removed all faults.')}>Remove all</button>
        </div>
      </details>`
    }
  `;
}
