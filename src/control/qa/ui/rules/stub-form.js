import { pretty } from '../format.js';
import { submitting } from '../forms.js';
import { html, useEffect, useState } from '../htm.js';

const headerLines = (headers = {}) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Headers of lines such as `Retry-After: 60`. */
function headersOf(lines = '') {
  const pairs = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.split(':', 1)[0].trim(), line.slice(line.indexOf(':') + 1).trim()]);
  return Object.fromEntries(pairs);
}

/** A text is sent as it is where it is not JSON, and where the headers name another type. */
function bodyOf(text, headers) {
  const [, type = 'application/json'] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (!/\bjson\b/i.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A form for the response to the next requests that are like the request of an entry. @param place the sandbox of the entry */
export function StubForm({ model, id, place, close }) {
  const { api } = model;
  const [stub, setStub] = useState(null);
  useEffect(() => {
    api
      .call('GET', `journal/${id}/stub`, { sandbox: place })
      .then(setStub, (error) => model.set({ message: { text: error.message, failed: true } }));
  }, []);
  if (stub === null) return html`<p class="quiet">Loading</p>`;
  const { match, respond } = stub;
  const add = ({ status, headers: lines, body, times }) =>
    model.act(async () => {
      const headers = headersOf(lines);
      const content =
        body === undefined ? (respond.bodyBase64 === undefined ? {} : { bodyBase64: respond.bodyBase64 }) : { body: bodyOf(body, headers) };
      const rule = {
        ...stub,
        respond: { status: Number(status), headers, ...content },
        ...(times === undefined ? {} : { times: Number(times) }),
      };
      const added = await api.call('POST', 'stubs', { body: rule, sandbox: place });
      close();
      const undo = async () => {
        await api.call('DELETE', `stubs/${added.id}`, { sandbox: place });
        return `Removed stub ${added.id}.`;
      };
      return { text: `Stub ${added.id} responds to ${match.method} ${match.path}.`, undo };
    });
  const isBinary = respond.bodyBase64 !== undefined;
  return html`<form id="stub-form" class="stub-form" aria-label="Respond differently" onsubmit=${submitting(add)}>
    <p class="quiet small-text wide">
      For ${match.method} ${match.path}${match.query === undefined ? '' : ` with ${JSON.stringify(match.query)}`}
    </p>
    <label>Status <input name="status" type="number" min="200" max="599" required value=${respond.status} /></label>
    <label>Times <input name="times" type="number" min="1" placeholder="all" /></label>
    <label class="wide"
      >Headers <textarea name="headers" rows="2" spellcheck="false" value=${headerLines(respond.headers)}></textarea>
    </label>
    <label class="wide"
      >Body
      <textarea
        name="body"
        rows="5"
        spellcheck="false"
        placeholder=${isBinary ? 'Bytes, which stay as they are' : 'empty'}
        value=${respond.body === undefined ? '' : pretty(respond.body)}
      ></textarea>
    </label>
    <div class="row wide">
      <button class="strong">Add stub</button>
      <button type="button" onclick=${close}>Cancel</button>
    </div>
  </form>`;
}
