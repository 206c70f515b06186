import { useTick } from './bar.js';
import { Drawer } from './drawer.js';
import { MARKS, METHODS, passes, STATUSES } from './filters.js';
import { ago, counted, duration, readableUrl } from './format.js';
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from './htm.js';
import { keyOf } from './model.js';

/** Height of a row, in rem. All have the same, so that only those in sight are drawn. */
const ROW = 2;
/** Rows above and below those in sight. */
const MARGIN = 8;
/** Without layout, this many rows are in sight. */
const DEFAULT_ROWS = 40;

const kind = (status) => (status === 0 ? 's0' : `s${String(status)[0]}`);

/** Short marks of a row. */
function marksOf({ fault, stub, cached, found, proxied, warnings = [] }) {
  return [
    ...warnings.map(({ name, suggestion, message }) => ({
      text: suggestion === undefined ? `${name}?` : `${name} → ${suggestion}?`,
      title: message,
      look: 'badge warm',
    })),
    ...(fault === undefined ? [] : [{ text: `fault ${fault}`, title: `Fault ${fault} was applied`, look: 'badge alert' }]),
    ...(stub === undefined ? [] : [{ text: `stub ${stub}`, title: `Stub ${stub} has responded`, look: 'badge' }]),
    ...(found === 0 ? [{ text: 'found nothing', title: 'The list has no items', look: 'badge' }] : []),
    ...(cached ? [{ text: 'cached', title: 'The response was computed for an earlier request', look: 'quiet small-text' }] : []),
    ...(proxied === undefined ? [] : [{ text: proxied, title: 'The live site has responded', look: 'badge' }]),
  ];
}

/** Splits a URL into the prefix of its API and the rest. */
function splitUrl(url) {
  const [, api = '', rest] = /^(?:\/wp-json\/((?:tribe|calendar)\/events\/v1|tec\/v1|wp\/v2)(?=\/))?(.*)$/s.exec(readableUrl(url));
  return { api, rest };
}

const Mark = ({ text, title, look }) => html`<span class=${look} title=${title}>${text}</span>`;

function Row({ entry, index, isSelected, now, onclick }) {
  const { api, rest } = splitUrl(entry.url);
  return html`<div
    role="option"
    id=${`entry-${keyOf(entry)}`}
    class="entry"
    aria-selected=${String(isSelected)}
    style=${{ transform: `translateY(${index * ROW}rem)` }}
    onclick=${onclick}
  >
    <span class=${`status ${kind(entry.status)}`}>${entry.status === 0 ? '—' : entry.status}</span>
    <span class="method">${entry.method}</span>
    <span class="what">
      <span class="url" title=${entry.url}><span class="api quiet">${api}</span>${rest}</span>
      ${marksOf(entry).map((mark) => html`<${Mark} ...${mark} />`)}
    </span>
    <span class="sandbox quiet">${entry.sandbox ?? ''}</span>
    <span class="ms quiet">${duration(entry.ms)}</span>
    <span class="ago quiet" title=${entry.at}>${ago(now - Date.parse(entry.at))}</span>
  </div>`;
}

/** How far the selection moves with a key, in rows. */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

/** The requests, of which only those in sight are drawn. */
function Rows({ model, shown }) {
  const { window, selected } = model;
  const list = useRef(null);
  const top = useRef(null);
  const [scroll, setScroll] = useState(0);
  useTick(window);
  const rem = Number.parseFloat(window.getComputedStyle(window.document.documentElement).fontSize) || 16;
  const height = ROW * rem;
  const inSight = Math.ceil((list.current?.clientHeight ?? 0) / height) || DEFAULT_ROWS;
  const first = Math.max(0, Math.floor(scroll / height) - MARGIN);
  const rows = shown.slice(first, first + inSight + 2 * MARGIN);
  const at = shown.findIndex((entry) => keyOf(entry) === selected);

  // After scrolling down, the visible rows stay in place while rows are added above.
  useLayoutEffect(() => {
    const element = list.current;
    const added = top.current === null ? 0 : shown.findIndex((entry) => keyOf(entry) === top.current);
    if (element && element.scrollTop > 0 && added > 0) element.scrollTop += added * height;
    top.current = shown.length > 0 ? keyOf(shown[0]) : null;
  }, [shown]);

  const select = (index) => {
    const element = list.current;
    model.set({ selected: keyOf(shown[index]) });
    if (index * height < element.scrollTop) element.scrollTop = index * height;
    const end = (index + 1) * height - element.clientHeight;
    if (end > element.scrollTop) element.scrollTop = end;
  };
  const onkeydown = (event) => {
    const step = STEPS[event.key];
    if (event.key === 'Escape') model.set({ selected: null });
    if (event.key === 'Enter' && at >= 0) window.document.getElementById('entry-panel')?.focus();
    if (step === undefined) return;
    event.preventDefault();
    select(Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + step)));
  };
  const now = Date.now();
  return html`<div
    id="journal-rows"
    class=${shown.some(({ sandbox }) => sandbox !== undefined) ? 'rows' : 'rows alone'}
    role="listbox"
    tabindex="0"
    aria-label="Requests, newest first"
    aria-activedescendant=${rows.some((entry) => keyOf(entry) === selected) ? `entry-${selected}` : null}
    ref=${list}
    onscroll=${({ currentTarget }) => setScroll(currentTarget.scrollTop)}
    onkeydown=${onkeydown}
  >
    <div role="presentation" style=${{ height: `${shown.length * ROW}rem` }}>
      ${rows.map(
        (entry, place) =>
          html`<${Row}
            key=${keyOf(entry)}
            entry=${entry}
            index=${first + place}
            now=${now}
            isSelected=${keyOf(entry) === selected}
            onclick=${() => model.set({ selected: keyOf(entry) })}
          />`,
      )}
    </div>
  </div>`;
}

const Choice = ({ name, label, options, model }) =>
  html`<label class="choice">
    <span class="hidden">${label}</span>
    <select name=${name} onchange=${({ target }) => model.filter({ [name]: target.value })} value=${model.filters[name]}>
      ${options.map(([value, text]) => html`<option value=${value} selected=${model.filters[name] === value}>${text}</option>`)}
    </select>
  </label>`;

function Filters({ model, search }) {
  const { filters, entries, state } = model;
  const sandboxes = [
    ...new Set([...entries.flatMap(({ sandbox }) => sandbox ?? []), filters.sandbox].filter((name) => name !== '' && name !== 'main')),
  ];
  const onkeydown = (event) => {
    if (event.key === 'Escape') model.filter({ q: '' });
    if (event.key === 'ArrowDown') model.window.document.getElementById('journal-rows')?.focus();
  };
  return html`<form id="journal-filter" class="filters" role="search" onsubmit=${(event) => event.preventDefault()}>
    <label class="grow">
      <span class="hidden">Search requests</span>
      <input
        type="search"
        name="q"
        ref=${search}
        placeholder="Search ( / )"
        autocomplete="off"
        value=${filters.q}
        oninput=${({ target }) => model.filter({ q: target.value })}
        onkeydown=${onkeydown}
      />
    </label>
    <div class="choices">
      ${Object.entries(MARKS).map(([mark, { label, has, isRare }]) => {
        const count = entries.filter(has).length;
        const isOn = filters.mark === mark;
        if (isRare && count === 0 && !isOn) return null;
        return html`<button
          type="button"
          class="toggle"
          data-mark=${mark}
          aria-pressed=${String(isOn)}
          onclick=${() => model.filter({ mark: isOn ? '' : mark })}
        >
          ${label} <span class="quiet">${count}</span>
        </button>`;
      })}
      <${Choice} model=${model} name="method" label="Method" options=${[['', 'Method'], ...METHODS.map((name) => [name, name])]} />
      <${Choice} model=${model} name="status" label="Status" options=${[['', 'Status'], ...Object.entries(STATUSES)]} />
      ${
        state.sandbox === '' &&
        sandboxes.length > 0 &&
        html`<${Choice}
          model=${model}
          name="sandbox"
          label="Environment"
          options=${[['', 'Environment'], ['main', 'Main site'], ...sandboxes.map((name) => [name, name])]}
        />`
      }
    </div>
  </form>`;
}

const EMPTY = {
  none: 'No requests yet. Send one to the site, or try the API: it appears here as it comes in.',
  filtered: 'No request passes the filters.',
};

/** The journal: what was requested, live. */
export function Journal({ model }) {
  const { entries, filters, window, api, selected } = model;
  const search = useRef(null);
  const shown = useMemo(() => entries.filter((entry) => passes(entry, filters)), [entries, filters]);
  const entry = entries.find((each) => keyOf(each) === selected);

  useEffect(() => {
    const onSlash = (event) => {
      if (event.key !== '/' || event.target.closest?.('input, textarea, select, dialog')) return;
      event.preventDefault();
      model.set({ view: 'journal' });
      search.current?.focus();
    };
    window.document.addEventListener('keydown', onSlash);
    return () => window.document.removeEventListener('keydown', onSlash);
  }, []);

  const clear = () =>
    model.act(async () => {
      await api.call('DELETE', 'journal');
      return 'The journal is empty.';
    });
  const save = () =>
    model.act(async () => {
      await api.download('journal.har', 'journal.har');
      return 'Saved the journal as an HTTP Archive.';
    });
  const follow = ({ target }) => {
    model.set({ isLive: target.checked });
    if (target.checked) void model.act(() => null);
  };
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return html`<section class="journal" aria-labelledby="journal-title">
    <div class="head">
      <h2 id="journal-title">Journal</h2>
      <p id="journal-count" class="quiet" role="status">
        ${isFiltered ? `${shown.length} of ${counted(entries.length, 'request')}` : counted(entries.length, 'request')}
      </p>
      <button type="button" class="link" id="filters-clear" hidden=${!isFiltered} onclick=${() => model.clearFilters()}>
        Clear filters
      </button>
      <label class="check"><input type="checkbox" id="journal-live" checked=${model.isLive} onchange=${follow} /> Live</label>
      <button type="button" id="journal-har" class="small" onclick=${save}>HAR</button>
      <button type="button" id="journal-clear" class="small" onclick=${clear}>Clear</button>
    </div>
    <${Filters} model=${model} search=${search} />
    ${
      shown.length > 0
        ? html`<${Rows} model=${model} shown=${shown} />`
        : html`<p id="journal-empty" class="empty quiet">${entries.length > 0 ? EMPTY.filtered : EMPTY.none}</p>`
    }
    ${entry && html`<${Drawer} key=${selected} model=${model} entry=${entry} />`}
  </section>`;
}
