import { duration, pretty, readableUrl, wall } from './format.js';
import { html, useEffect, useRef, useState } from './htm.js';
import { StubDialog } from './rules/stub-form.js';

/** Longer bodies are cut off here; the HTTP Archive has all of them. */
const MAX_SHOWN = 200_000;

const TABS = { pretty: 'Pretty', raw: 'Raw', headers: 'Headers' };

const cut = (text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text);

const Text = ({ label, children }) => html`<pre tabindex="0" aria-label=${label}>${cut(children)}</pre>`;

function Pretty({ details }) {
  const { request, response, cut: isCut } = details;
  return html`
    ${isCut && html`<p class="quiet">Bodies were dropped: too large, or too old.</p>`}
    ${
      request.body !== null &&
      html`<h4>Request</h4>
        <${Text} label="Body of the request">${pretty(request.body)}<//>`
    }
    <h4>Response</h4>
    ${response.body === null ? html`<p class="quiet">No body.</p>` : html`<${Text} label="Body of the response">${pretty(response.body)}<//>`}
  `;
}

const HeaderTable = ({ title, headers }) =>
  html`<table>
    <caption>
      ${title}
    </caption>
    <tbody>
      ${Object.entries(headers).map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${String(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const Headers = ({ details: { request, response } }) => html`
  <${HeaderTable} title="Request" headers=${request.headers} />
  <${HeaderTable} title="Response" headers=${response.headers} />
`;

const lines = (first, headers, body) => `${first}\n${headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}\n\n${body}`;

/** The raw messages of an entry of an HTTP Archive. */
function rawMessages({ request, response }) {
  const { pathname, search } = new URL(request.url);
  return [
    lines(`${request.method} ${pathname}${search} ${request.httpVersion}`, request.headers, request.postData?.text ?? ''),
    lines(`${response.httpVersion} ${response.status} ${response.statusText}`, response.headers, response.content.text ?? ''),
  ];
}

function Raw({ model, place, id }) {
  const [messages, setMessages] = useState(null);
  useEffect(() => {
    model.api.call('GET', `journal.har?id=${id}`, { sandbox: place }).then(
      ({ log }) => setMessages(rawMessages(log.entries[0])),
      (error) => model.set({ message: { text: error.message, failed: true } }),
    );
  }, []);
  if (messages === null) return html`<p class="quiet">Loading</p>`;
  return html`<h4>Request</h4>
    <${Text} label="Request as sent">${messages[0]}<//>
    <h4>Response</h4>
    <${Text} label="Response as sent">${messages[1]}<//>`;
}

/** A rule that fails the same request once more. */
function failRule({ method, url }) {
  const { pathname, searchParams } = new URL(url, 'http://host');
  const query = Object.fromEntries([...searchParams].filter(([name]) => /^[\w-]+$/.test(name)));
  return { match: { method, path: pathname, ...(Object.keys(query).length > 0 ? { query } : {}) }, times: 1, effect: { status: 500 } };
}

function Actions({ model, entry, place, show, change }) {
  const { api, window } = model;
  const { id, method } = entry;
  /** Browsers without access to the clipboard show the text instead. */
  const copy = () =>
    model.act(async () => {
      const line = (await api.text(`journal/${id}/curl`, { sandbox: place })).trimEnd();
      try {
        await window.navigator.clipboard.writeText(line);
        return 'Copied as a curl command. Secrets in it are variables, such as $PASSWORD.';
      } catch {
        show(line);
        return 'The browser does not allow access to the clipboard. Copy the command from the entry.';
      }
    });
  const save = (path, name, text) =>
    model.act(async () => {
      await api.download(path, name, { sandbox: place });
      return text;
    });
  const fail = () =>
    model.act(async () => {
      const rule = await api.call('POST', 'faults', { body: failRule(entry), sandbox: place });
      const text = `The next such ${method} request fails with 500.`;
      const undo = async () => {
        await api.call('DELETE', `faults/${rule.id}`, { sandbox: place });
        return 'It does not fail.';
      };
      return { text, undo };
    });
  return html`<div class="row actions">
    <button type="button" class="small" data-action="fail" onclick=${fail}>Fail this next time</button>
    <button type="button" class="small" data-action="stub" onclick=${change}>Respond differently</button>
    <button type="button" class="small" data-action="curl" onclick=${copy}>Copy as curl</button>
    <button
      type="button"
      class="small"
      data-action="har"
      onclick=${() => save(`journal.har?id=${id}`, `entry-${id}.har`, 'Saved as an HTTP Archive.')}
    >
      HAR
    </button>
    <button
      type="button"
      class="small"
      data-action="case"
      onclick=${() => save(`journal/${id}/case`, `journal-${id}.json`, 'Saved as a test case.')}
    >
      Test case
    </button>
  </div>`;
}

function Tabs({ tab, choose }) {
  const names = Object.keys(TABS);
  const onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(tab) + step + names.length) % names.length];
    choose(next);
    event.currentTarget.querySelector(`[data-tab=${next}]`).focus();
  };
  return html`<div role="tablist" aria-label="Parts of the entry" class="tabs" onkeydown=${onkeydown}>
    ${names.map(
      (name) =>
        html`<button
          type="button"
          role="tab"
          id=${`tab-${name}`}
          data-tab=${name}
          aria-selected=${String(tab === name)}
          aria-controls="entry-panel"
          tabindex=${tab === name ? 0 : -1}
          onclick=${() => choose(name)}
        >
          ${TABS[name]}
        </button>`,
    )}
  </div>`;
}

/** A request and its response. */
export function Drawer({ model, entry }) {
  const { api, window } = model;
  const { id, method, url, status, ms, user, warnings = [] } = entry;
  // On the main page, entries without a sandbox are of the main site; on the page of a sandbox all are of it.
  const place = entry.sandbox === model.state.sandbox || entry.sandbox === undefined ? undefined : entry.sandbox;
  const [tab, choose] = useState('pretty');
  const [details, setDetails] = useState(null);
  const [curl, show] = useState(null);
  const [isChanging, setChanging] = useState(false);
  const panel = useRef(null);
  useEffect(() => {
    let isGone = false;
    api.call('GET', `journal/${id}`, { sandbox: place }).then(
      (found) => isGone || setDetails(found),
      (error) => isGone || model.set({ selected: null, message: { text: error.message, failed: true } }),
    );
    return () => {
      isGone = true;
    };
  }, []);
  const close = () => {
    model.set({ selected: null });
    window.document.getElementById('journal-rows')?.focus();
  };
  const onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  const facts = [
    status === 0 ? 'dropped before the response' : `status ${status}`,
    duration(ms),
    user ?? 'anonymous',
    entry.sandbox,
    details && `site time ${wall(Date.parse(details.clock), model.state.clock.offset)}`,
  ].filter(Boolean);
  return html`<section class="drawer" aria-label="Entry" onkeydown=${onkeydown}>
    <div class="drawer-head">
      <h3>${method} ${readableUrl(url)}</h3>
      <button type="button" class="plain" aria-label="Close" onclick=${close}>✕</button>
    </div>
    <p class="quiet facts">${facts.join(' · ')}</p>
    ${warnings.map(({ message }) => html`<p class="warning">${message}</p>`)}
    <${Actions} model=${model} entry=${entry} place=${place} show=${show} change=${() => setChanging(true)} />
    ${curl !== null && html`<pre class="curl" tabindex="0" aria-label="curl command">${curl}</pre>`}
    <${Tabs} tab=${tab} choose=${choose} />
    <div id="entry-panel" class="entry-panel" role="tabpanel" tabindex="0" aria-labelledby=${`tab-${tab}`} ref=${panel}>
      ${details === null && html`<p class="quiet">Loading</p>`} ${details && tab === 'pretty' && html`<${Pretty} details=${details} />`}
      ${details && tab === 'raw' && html`<${Raw} model=${model} place=${place} id=${id} />`}
      ${details && tab === 'headers' && html`<${Headers} details=${details} />`}
    </div>
    ${isChanging && html`<${StubDialog} model=${model} entry=${id} place=${place} close=${() => setChanging(false)} />`}
  </section>`;
}
