import { counted } from '../format.js';
import { html, useState } from '../htm.js';
import { scope } from './fault-words.js';
import { StubDialog } from './stub-form.js';

/** Responses that replace the site's. */
export function StubsPanel({ model }) {
  const { stubs } = model.state;
  /** The stub in the dialog: `{ id }`, or `{}` for a new one. */
  const [editing, edit] = useState(null);
  const remove = (path, text) =>
    model.act(async () => {
      await model.api.call('DELETE', path);
      return text;
    });
  const added = stubs.filter(({ dataset }) => !dataset);
  return html`
    ${
      stubs.length === 0
        ? html`<p id="stubs-none" class="quiet">
            None. To begin with the response to a request, open it in the journal and choose “Respond differently”.
          </p>`
        : html`<ul id="stubs" class="items" aria-label="Stubs">
            ${stubs.map(
              (stub) =>
                html`<li key=${stub.id}>
                  <button type="button" class="link grow" title=${`Edit stub ${stub.id}`} onclick=${() => edit({ id: stub.id })}>
                    <strong>${stub.respond.status ?? 200}</strong> ${scope(stub)}
                  </button>
                  ${stub.dataset && html`<span class="quiet">of the dataset</span>`}
                  <span class=${stub.hits > 0 ? 'badge warm' : 'badge'}>${stub.hits}×</span>
                  <button
                    type="button"
                    class="plain"
                    aria-label=${`Remove stub ${stub.id}`}
                    onclick=${() => remove(`stubs/${stub.id}`, stub.dataset ? 'Removed until the next reset.' : 'Removed.')}
                  >
                    ✕
                  </button>
                </li>`,
            )}
          </ul>`
    }
    <div class="row">
      <button type="button" id="stub-add" class="small" onclick=${() => edit({})}>Add a stub…</button>
      ${
        added.length > 1 &&
        html`<button
          type="button"
          id="stubs-clear"
          class="small"
          onclick=${() => remove('stubs', `Removed ${counted(added.length, 'stub')}.`)}
        >
          Remove all
        </button>`
      }
    </div>
    ${editing && html`<${StubDialog} key=${editing.id ?? 'new'} model=${model} id=${editing.id} close=${() => edit(null)} />`}
  `;
}
