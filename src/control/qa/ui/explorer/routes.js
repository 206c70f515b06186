import { counted } from '../format.js';
import { html, useEffect, useMemo, useRef } from '../htm.js';
import { search } from './operations.js';

/** Namespaces with fewer operations are open as a whole. */
const FEW = 40;

const MAX_RESULTS = 100;

export const Method = ({ name }) => html`<span class=${`verb ${name.toLowerCase()}`}>${name}</span>`;

function Row({ operation, path, found = [], selected }) {
  const { id, method, summary, isListedOnly } = operation;
  return html`<li>
    <a href=${`#${id}`} class=${`route ${isListedOnly ? 'faint' : ''}`} aria-current=${id === selected ? 'page' : null}>
      <${Method} name=${method} />
      <span class="route-path">${path}</span>
      <span class="route-name">
        ${summary}${isListedOnly ? ' (not implemented)' : ''}${found.length > 0 && html`: <span class="found">${found.slice(0, 4).join(', ')}</span>`}
      </span>
    </a>
  </li>`;
}

function Group({ group, isOpen, selected }) {
  const isInside = group.operations.some(({ id }) => id === selected);
  return html`<details class="group" open=${isOpen || isInside}>
    <summary>
      <h3>${group.name}</h3>
      <span class="quiet">${group.operations.length}</span>
    </summary>
    <ul>
      ${group.operations.map((each) => html`<${Row} key=${each.id} operation=${each} path=${each.below} selected=${selected} />`)}
    </ul>
  </details>`;
}

function Namespace({ namespace: { name, note, operations, groups }, isFirst, selected }) {
  const isInside = operations.some(({ id }) => id === selected);
  return html`<details class="namespace" open=${isFirst || isInside}>
    <summary>
      <h2>${name}</h2>
      <span class="quiet">${note === '' ? '' : `${note}, `}${operations.length}</span>
    </summary>
    ${groups.map((group) => html`<${Group} key=${group.name} group=${group} isOpen=${operations.length < FEW} selected=${selected} />`)}
  </details>`;
}

function Results({ results, selected }) {
  if (results.length === 0) return html`<p class="empty quiet">No route has all of these words in its path, name or parameters.</p>`;
  return html`<ul>
    ${results
      .slice(0, MAX_RESULTS)
      .map(({ operation, found }) => html`<${Row} key=${operation.id} ...${{ operation, found, selected }} path=${operation.path} />`)}
  </ul>`;
}

/** The list of all routes, with a search. */
export function Routes({ model }) {
  const { namespaces, query, selected, window } = model;
  const box = useRef(null);
  const results = useMemo(() => (query.trim() === '' ? null : search(namespaces, query)), [namespaces, query]);
  useEffect(() => {
    const focus = (event) => {
      if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
      event.preventDefault();
      box.current?.focus();
    };
    window.document.addEventListener('keydown', focus);
    return () => window.document.removeEventListener('keydown', focus);
  }, [window]);
  const list = useRef(null);
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [selected]);
  const open = (event) => {
    event.preventDefault();
    if (results?.length > 0) window.location.hash = results[0].operation.id;
  };
  const id = selected?.id;
  return html`<nav class="routes" aria-label="Routes">
    <form role="search" onsubmit=${open}>
      <label class="hidden" for="search">Search routes and parameters</label>
      <input
        id="search"
        type="search"
        ref=${box}
        placeholder="Search: create event, start_date"
        autocomplete="off"
        value=${query}
        oninput=${({ target }) => model.set({ query: target.value })}
      />
      <p class="hidden" role="status">${results === null ? '' : counted(results.length, 'route')}</p>
    </form>
    <div class="route-list" ref=${list}>
      ${
        results === null
          ? namespaces.map((each, at) => html`<${Namespace} key=${each.name} namespace=${each} isFirst=${at === 0} selected=${id} />`)
          : html`<${Results} results=${results} selected=${id} />`
      }
    </div>
  </nav>`;
}
