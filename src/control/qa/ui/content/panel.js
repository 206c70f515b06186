import { EventDialog } from '../events.js';
import { counted } from '../format.js';
import { html, useRef, useState } from '../htm.js';
import { BEFORE, undoable } from './load.js';
import { preview, SaveDialog } from './save.js';

function Problems({ model }) {
  const { name, problems, isLoaded, isSaved } = model.problems;
  const noun = isLoaded ? 'warning' : 'problem';
  const title = isSaved ? `${counted(problems.length, 'change')} not saved to ${name}` : `${counted(problems.length, noun)} in ${name}`;
  return html`<div class="problems" role="group" aria-label=${`${isLoaded ? 'Warnings about' : 'Problems of'} ${name}`}>
    <div class="head">
      <h3>${title}</h3>
      <button type="button" class="plain" aria-label=${`Dismiss the ${noun}s`} onclick=${() => model.set({ problems: null })}>✕</button>
    </div>
    <ol tabindex="0" aria-label=${isLoaded ? 'Warnings' : 'Problems'}>
      ${problems.map((problem) => html`<li>${problem}</li>`)}
    </ol>
  </div>`;
}

/** Datasets, events and reset. */
export function ContentPanel({ model }) {
  const { api, problems, state } = model;
  const file = useRef(null);
  const [editing, edit] = useState(null);
  const [found, setFound] = useState(null);
  const choose = ({ target }) => {
    const files = [...target.files];
    target.value = '';
    if (files.length > 0) model.set({ loading: { files } });
  };
  const save = () =>
    model.act(async () => {
      await api.download('export', 'export.ndjson');
      return 'Saved all content, one item per line.';
    });
  const reset = () =>
    undoable(model, BEFORE.reset, async () => {
      const { ms } = await api.call('POST', 'reset', { body: {} });
      const faults = state.faults.length === 0 ? '' : ' Faults stay.';
      return `Reset in ${Math.round(ms)} ms: content, users, files and clock are as at the start.${faults}`;
    });
  return html`
    <div class="row">
      <button type="button" id="load" onclick=${() => file.current.click()}>Load a file…</button>
      <input type="file" id="load-file" hidden aria-label="Dataset" multiple ref=${file} onchange=${choose} />
      <button type="button" id="export" onclick=${save}>Download export</button>
      ${
        state.file &&
        html`<button
          type="button"
          id="dataset-save"
          onclick=${() => preview(model, setFound)}
          title="Shows what has changed, and writes it into the file of the dataset"
        >
          Save to ${state.file}…
        </button>`
      }
      <button type="button" id="reset" onclick=${reset} title="Content, users, files and clock. A snapshot is made first.">Reset</button>
    </div>
    <p class="quiet small-text">Or drop a dataset anywhere on this page: JSON, YAML, CSV, iCalendar or an export of WordPress.</p>
    ${problems && html`<${Problems} model=${model} />`}
    <div class="row">
      <button type="button" id="event-add" onclick=${() => edit('add')}>Add an event</button>
      <button type="button" id="event-edit" onclick=${() => edit('find')} disabled=${(state.counts.events ?? 0) === 0}>
        Edit an event…
      </button>
    </div>
    ${found && html`<${SaveDialog} model=${model} found=${found} close=${() => setFound(null)} />`}
    ${editing && html`<${EventDialog} key=${editing} model=${model} mode=${editing} close=${() => edit(null)} />`}
  `;
}
