import { duration } from '../format.js';
import { html } from '../htm.js';

/** Longer bodies are cut where they are shown. */
const MAX_SHOWN = 200_000;

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

/** JSON in colors: names, texts, and other values. */
function colored(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match;
    parts.push(
      text.slice(end, match.index),
      html`<span class=${colon ? 'name' : string ? 'text' : 'value'}>${string ?? whole}</span>`,
      colon ?? '',
    );
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** An error of WordPress: its message, and what is wrong with which parameter. */
function Problem({ model, operation, response: { status, json } }) {
  const { params = {} } = json.data ?? {};
  const isRefused = (status === 401 || status === 403) && operation.api === 'rest' && model.sender.kind !== 'administrator';
  const asAdministrator = () => {
    model.signIn({ kind: 'administrator' });
    void model.send();
  };
  return html`<div class="problem" role="alert">
    <p><strong>${json.message ?? json.error}</strong> <code>${json.code}</code></p>
    ${
      !Array.isArray(params) &&
      html`<ul>
        ${Object.entries(params).map(([name, text]) => html`<li key=${name}><code>${name}</code>: ${String(text)}</li>`)}
      </ul>`
    }
    ${isRefused && html`<button type="button" onclick=${asAdministrator}>Send as the administrator</button>`}
  </div>`;
}

function Headers({ headers }) {
  return html`<details>
    <summary>Headers (${headers.length})</summary>
    <table>
      <tbody>
        ${headers.map(
          ([name, value]) =>
            html`<tr key=${name}>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** The response to the last request of an operation. */
export function Response({ model, operation, response }) {
  if (!response) return html`<p class="quiet">${model.isSending ? 'Waiting for the response' : 'The response will be here.'}</p>`;
  const { status, statusText, headers, json, text, size, error, ms } = response;
  if (error !== undefined)
    return html`<div class="problem" role="alert">
      <p><strong>No response</strong> ${error}</p>
    </div>`;
  const isCut = text.length > MAX_SHOWN;
  const shown = isCut ? text.slice(0, MAX_SHOWN) : text;
  return html`<section class="response" aria-label="Response">
    <p class="outcome" role="status">
      <span class=${`status s${String(status)[0]}`}>${status} ${statusText}</span>
      <span class="quiet">${duration(ms)}, ${size.toLocaleString('en')} bytes</span>
      ${operation.api === 'rest' && headers.length > 0 && html`<a href="ui">Journal</a>`}
    </p>
    ${status >= 400 && (json?.message ?? json?.error) && html`<${Problem} ...${{ model, operation, response }} />`}
    ${headers.length > 0 && html`<${Headers} headers=${headers} />`}
    <pre tabindex="0" aria-label="Body of the response">${json === null ? shown : colored(shown)}</pre>
    ${isCut && html`<p class="quiet">The body is longer. Copy the request as curl to see all of it.</p>`}
  </section>`;
}
