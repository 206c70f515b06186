import { counted } from '../format.js';
import { html } from '../htm.js';
import { scope } from './fault-words.js';

/** Responses that replace the site's. They are made in the drawer of a request. */
export function StubsPanel({ model }) {
  const { stubs } = model.state;
  const remove = (path, text) =>
    model.act(async () => {
      await model.api.call('DELETE', path);
      return text;
    });
  if (stubs.length === 0)
    return html`<p id="stubs-none" class="quiet">
      None. To change the response to a request, open it in the journal and choose “Respond differently”.
    </p>`;
  const added = stubs.filter(({ dataset }) => !dataset);
  return html`
    <ul id="stubs" class="items" aria-label="Stubs">
      ${stubs.map(
        (stub) =>
          html`<li key=${stub.id}>
            <span class="grow"
              ><strong>${stub.respond.status ?? 200}</strong
              ><span>${scope(stub)}</span>${stub.dataset && html`<span class="quiet">of the dataset</span>`}</span
            >
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
    </ul>
    ${
      added.length > 1 &&
      html`<div class="row">
        <button type="button" id="stubs-clear" class="small" onclick=${() => remove('stubs', `Removed ${counted(added.length, 'stub')}.`)}>
          Remove all
        </button>
      </div>`
    }
  `;
}
