import { counted } from './format.js';
import { submitting } from './forms.js';
import { html, useEffect, useState } from './htm.js';

const SIGNS = { added: '+', changed: '~', deleted: '−' };

/** Lists the changes since a snapshot, or since the dataset was loaded. Updates automatically. */
function Changes({ model, since }) {
  const { api, state } = model;
  const [found, setFound] = useState(null);
  useEffect(() => {
    let isGone = false;
    const query = since === '' ? '' : `?since=${encodeURIComponent(since)}`;
    api.call('GET', `changes${query}`).then(
      (changes) => isGone || setFound(changes),
      (error) => isGone || setFound({ total: 0, changes: [], problem: error.message }),
    );
    return () => {
      isGone = true;
    };
  }, [since, state.content]);
  if (found === null) return html`<p class="quiet">Comparing</p>`;
  const { total, changes, problem } = found;
  if (total === 0) return html`<p id="changes" class="quiet">${problem ?? 'Nothing has changed.'}</p>`;
  return html`<div id="changes" role="region" aria-label="Changes" class="changes" tabindex="0">
    <ul class="items">
      ${changes.map(
        ({ change, kind, id, title, fields }) =>
          html`<li key=${`${kind} ${id}`} class=${change}>
            <span class="sign" aria-label=${change}>${SIGNS[change]}</span>
            <span class="grow"
              >${title}
              <span class="quiet">${kind}${typeof id === 'number' ? ` ${id}` : ''}${fields ? `: ${fields.join(', ')}` : ''}</span></span
            >
          </li>`,
      )}
    </ul>
    ${total > changes.length && html`<p class="quiet">And ${counted(total - changes.length, 'more change')}.</p>`}
  </div>`;
}

/** Saves, compares and restores snapshots. */
export function SnapshotsPanel({ model }) {
  const { api, state } = model;
  const { snapshots } = state;
  const [since, setSince] = useState('');
  const [isCompared, compare] = useState(false);
  const address = (name) => `snapshots/${encodeURIComponent(name)}`;
  const save = ({ name }, form) =>
    model.act(async () => {
      const { ms } = await api.call('PUT', address(name), { body: {} });
      form.reset();
      return `Saved ${name} in ${Math.round(ms)} ms.`;
    });
  const restore = (name) =>
    model.act(async () => {
      const { ms } = await api.call('POST', `${address(name)}/restore`, { body: {} });
      return `Restored ${name} in ${Math.round(ms)} ms.`;
    });
  const remove = (name) =>
    model.act(async () => {
      await api.call('DELETE', address(name));
      if (since === name) setSince('');
      return `Deleted ${name}.`;
    });
  return html`
    <form id="snapshot-save" class="row" onsubmit=${submitting(save)}>
      <label class="grow"
        >Name of a new snapshot
        <input name="name" pattern="[\\w\\-]{1,64}" title="Letters, digits, - and _" autocomplete="off" required />
      </label>
      <button>Save</button>
    </form>
    ${
      snapshots.length > 0 &&
      html`<ul id="snapshots" class="items">
        ${snapshots.map(
          ({ name, posts, saved }) =>
            html`<li key=${name}>
              <span class="grow"
                ><strong>${name}</strong>
                <span class="quiet">${counted(posts, 'post')}, saved ${saved.slice(0, 16).replace('T', ' ')} UTC</span></span
              >
              <button type="button" class="small" aria-label=${`Restore ${name}`} onclick=${() => restore(name)}>Restore</button>
              <button type="button" class="plain" aria-label=${`Delete ${name}`} onclick=${() => remove(name)}>✕</button>
            </li>`,
        )}
      </ul>`
    }
    <details class="inner" id="compare" ontoggle=${({ currentTarget }) => compare(currentTarget.open)}>
      <summary>What has changed since</summary>
      <label class="wide"
        ><span class="hidden">Since</span>
        <select id="changes-since" onchange=${({ target }) => setSince(target.value)}>
          <option value="" selected=${since === ''}>the last reset (${state.dataset ?? 'stored content'})</option>
          ${snapshots.map(({ name }) => html`<option key=${name} value=${name} selected=${since === name}>${name}</option>`)}
        </select>
      </label>
      ${isCompared && html`<${Changes} model=${model} since=${since} />`}
    </details>
  `;
}
