import { html, useEffect, useRef } from '../htm.js';

const KINDS = { '+': 'added', '−': 'deleted' };

const countsOf = (counts) =>
  ['added', 'changed', 'deleted']
    .filter((each) => counts[each] > 0)
    .map((each) => `${counts[each]} ${each}`)
    .concat(counts.trashed > 0 ? [`${counts.trashed} moved to the trash`] : [])
    .join(', ');

/** Saves changes to the file of the dataset. @param body `preview` writes nothing */
async function send(model, body) {
  model.set({ problems: null });
  const result = await model.api.call('POST', 'dataset/save', { body });
  const { unsaved, file: name } = result;
  if (unsaved.length > 0) model.set({ problems: { name, problems: unsaved, isLoaded: true, isSaved: true }, view: 'controls' });
  return result;
}

/** Shows what a save would change. Without changes there is only a message. @param show shows the dialog */
export const preview = (model, show) =>
  model.act(async () => {
    const result = await send(model, { preview: true });
    if (result.diff.length === 0) return `${result.file} has no changes to save.`;
    show(result);
    return null;
  });

/** The lines of the file that a save changes. */
export function SaveDialog({ model, found, close }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const save = () => {
    close();
    void model.act(async () => {
      const { saved, file, ...counts } = await send(model, {});
      return saved ? `Saved to ${file}: ${countsOf(counts)}. A reset restores this.` : `${file} has no changes to save.`;
    });
  };
  return html`<dialog id="save-dialog" aria-labelledby="save-title" ref=${dialog} onclose=${close}>
    <div class="head">
      <h2 id="save-title">Save to ${found.file}</h2>
      <button type="button" class="plain" aria-label="Close" onclick=${close}>✕</button>
    </div>
    <p>${countsOf(found)}. The rest of the file stays as it is.</p>
    <div class="difference" role="region" aria-label="Changes of the file" tabindex="0">
      <ul class="items">
        ${found.diff.map((line, index) => {
          const kind = KINDS[line[0]];
          return html`<li key=${index} class=${kind ?? 'quiet'}>
            <span class="sign" aria-label=${kind}>${line[0]}</span><code>${line.slice(1)}</code>
          </li>`;
        })}
      </ul>
    </div>
    <div class="row">
      <button type="button" id="save-confirm" class="strong" onclick=${save}>Save</button>
      <button type="button" class="plain" onclick=${close}>Cancel</button>
    </div>
  </dialog>`;
}
