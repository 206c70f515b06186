import { ago } from './format.js';
import { html, useEffect, useRef, useState } from './htm.js';

/** Above this many sandboxes there is a field to search them. */
const SEARCHED = 5;

/** Sandboxes without a request for this long, in seconds, are idle. */
const IDLE = 300;

/** Switches between the main site and its sandboxes, each of which has its own control page. */
export function Environments({ model }) {
  const { state, api, window } = model;
  const [isOpen, open] = useState(false);
  const [query, search] = useState('');
  const place = useRef(null);
  const button = useRef(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    place.current?.querySelector('input, a')?.focus();
    const outside = ({ target }) => place.current?.contains(target) || open(false);
    window.document.addEventListener('pointerdown', outside);
    return () => window.document.removeEventListener('pointerdown', outside);
  }, [isOpen]);

  const onkeydown = (event) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    open(false);
    button.current?.focus();
  };
  const remove = (name) =>
    model.act(async () => {
      await api.call('DELETE', `sandboxes/${encodeURIComponent(name)}`);
      return `Deleted sandbox ${name}.`;
    });
  const removeIdle = () =>
    model.act(async () => {
      const { deleted } = await api.call('DELETE', `sandboxes?idle=${IDLE}`);
      return deleted.length === 0 ? 'No sandbox was idle for 5 minutes.' : `Deleted ${deleted.join(', ')}.`;
    });
  const create = (event) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('name');
    const name = field.value.trim();
    return model.act(async () => {
      const made = await api.call(name === '' ? 'POST' : 'PUT', name === '' ? 'sandboxes' : `sandboxes/${encodeURIComponent(name)}`, {
        body: {},
      });
      field.value = '';
      return `Sandbox ${made.name} is ready (${Math.round(made.ms)} ms).`;
    });
  };

  const { sandbox: own, sandboxes } = state;
  const shown = sandboxes.filter(({ name }) => name.includes(query.toLowerCase()));
  return html`<div class="environments" ref=${place} onkeydown=${onkeydown}>
    <button
      type="button"
      id="environment"
      ref=${button}
      aria-expanded=${String(isOpen)}
      aria-controls="environment-list"
      onclick=${() => open(!isOpen)}
    >
      <span class="quiet">Environment</span>
      <strong>${own === '' ? 'Main site' : own}</strong>
      ${sandboxes.length > 0 && html` <span class="quiet count">+${sandboxes.length - (own === '' ? 0 : 1)}</span>`}
      <span aria-hidden="true">▾</span>
    </button>
    <div id="environment-list" class="popover" hidden=${!isOpen}>
      ${
        (sandboxes.length > SEARCHED || query !== '') &&
        html`<label class="wide">Search <input type="search" value=${query} oninput=${({ target }) => search(target.value)} /></label>`
      }
      <ul class="items">
        ${
          query === '' &&
          html`<li key="">
            <a href=${api.baseOf('') + 'ui'} aria-current=${own === '' ? 'page' : null}>Main site</a>
          </li>`
        }
        ${shown.map(
          ({ name, idleSeconds }) =>
            html`<li key=${name}>
              <a href=${api.baseOf(name) + 'ui'} aria-current=${name === own ? 'page' : null}>${name}</a>
              <span class="quiet">${name === own ? 'this one' : `idle ${ago(idleSeconds * 1000)}`}</span>
              ${
                name !== own &&
                html`<button type="button" class="plain" aria-label=${`Delete sandbox ${name}`} onclick=${() => remove(name)}>✕</button>`
              }
            </li>`,
        )}
      </ul>
      ${shown.length === 0 && query !== '' && html`<p class="quiet">No sandbox has this name.</p>`}
      <form id="sandbox-create" class="row" onsubmit=${create}>
        <label class="grow">New sandbox <input name="name" placeholder="random name" autocomplete="off" /></label>
        <button>Create</button>
      </form>
      ${sandboxes.length > 0 && html`<div class="row"><button type="button" id="delete-idle" class="small" onclick=${removeIdle}>Delete idle (5 min)</button></div>`}
    </div>
  </div>`;
}
