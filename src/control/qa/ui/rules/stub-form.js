import { submitting } from '../forms.js';
import { html, useEffect, useRef, useState } from '../htm.js';
import { scope } from './fault-words.js';
import { errorsByField, stubIn, textsOf } from './stub-fields.js';

/** A stub that nothing is known of yet. */
const EMPTY = { match: {}, respond: {} };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Further conditions, and how to respond: folded unless they are set. */
const CONDITIONS = ['regex', 'query', 'requestHeaders', 'requestBody'];
const TIMING = ['delay', 'skip', 'priority'];

/** A field with its label, and what is wrong with it. */
function Field({ form: { texts, errors }, name, label, hint, wide, rows, ...input }) {
  const problem = errors[name];
  const id = `stub-${name}-problem`;
  const own = { name, 'aria-invalid': problem === undefined ? undefined : 'true', 'aria-describedby': problem && id, autocomplete: 'off' };
  return html`<label class=${wide ? 'wide' : ''}
    ><span>${label}${hint && html`<span class="hint">${hint}</span>`}</span>
    ${
      rows === undefined
        ? html`<input ...${own} ...${input} defaultValue=${texts[name]} />`
        : html`<textarea ...${own} ...${input} rows=${rows} spellcheck="false" defaultValue=${texts[name]}></textarea>`
    }
    ${problem !== undefined && html`<span id=${id} class="alert">${problem}</span>`}
  </label>`;
}

function Form({ model, stub, id, place, close }) {
  const { api } = model;
  const [errors, setErrors] = useState({});
  const texts = textsOf(stub);
  const form = { texts, errors };
  const element = useRef(null);
  useEffect(() => element.current.querySelector('[aria-invalid]')?.focus(), [errors]);
  const fail = (found) => {
    // Includes errors in folded parts.
    for (const details of element.current.querySelectorAll('details'))
      if (details.dataset.fields.split(' ').some((name) => found[name])) details.open = true;
    setErrors(found);
  };
  const save = async (fields, { elements }) => {
    const { stub: rule, errors: own } = stubIn(stub, fields, elements.namedItem('template').checked);
    if (Object.keys(own).length > 0) return fail(own);
    if (Object.keys(rule.match ?? {}).length === 0) return fail({ path: 'Enter a path. ** stands for all of them.' });
    let saved;
    try {
      saved = await api.call(id === undefined ? 'POST' : 'PUT', id === undefined ? 'stubs' : `stubs/${id}`, { body: rule, sandbox: place });
    } catch (error) {
      return fail(errorsByField(error));
    }
    close();
    const undo = async () => {
      if (id === undefined) await api.call('DELETE', `stubs/${saved.id}`, { sandbox: place });
      else await api.call('PUT', `stubs/${id}`, { body: stub, sandbox: place });
      return id === undefined ? `Removed stub ${saved.id}.` : `Stub ${id} is as it was.`;
    };
    const text = id === undefined ? `Stub ${saved.id} responds to ${scope({ match: rule.match })}.` : `Changed stub ${id}.`;
    return model.act(() => ({ text, undo }));
  };
  const folded = (title, names, body) =>
    html`<details class="inner wide" data-fields=${names.join(' ')} open=${names.some((name) => texts[name] !== '')}>
      <summary>${title}</summary>
      <div class="fields">${body}</div>
    </details>`;
  const isBinary = stub.respond.bodyBase64 !== undefined;
  return html`<form id="stub-form" class="fields" novalidate ref=${element} onsubmit=${submitting(save)}>
    <datalist id="stub-methods">${METHODS.map((name) => html`<option value=${name}></option>`)}</datalist>
    <${Field} form=${form} name="method" label="Method" placeholder="any" list="stub-methods" />
    <${Field} form=${form} name="path" label="Path" placeholder="/wp-json/acme/v1/seats/*" />
    ${folded(
      'More conditions',
      CONDITIONS,
      html`
        <${Field} form=${form} name="query" label="Query" hint="one a line" rows="2" placeholder="page: 2" />
        <${Field} form=${form} name="requestHeaders" label="Request headers" hint="one a line" rows="2" placeholder="X-Client: app*" />
        <${Field}
          form=${form}
          name="requestBody"
          label="Request body"
          hint="JSON members, or a text"
          wide
          rows="2"
          placeholder='{ "email": "*@example.org" }'
        />
        <${Field} form=${form} name="regex" label="Regular expression for the URL" wide />
      `,
    )}
    <${Field} form=${form} name="status" label="Status" inputmode="numeric" placeholder="200" />
    <${Field} form=${form} name="times" label="Times" inputmode="numeric" placeholder="all" />
    <${Field} form=${form} name="headers" label="Response headers" hint="one a line" wide rows="2" placeholder="Retry-After: 60" />
    <${Field}
      form=${form}
      name="body"
      label="Response body"
      hint="JSON or a text"
      wide
      rows="7"
      placeholder=${isBinary ? 'Bytes, which stay as they are' : 'empty'}
    />
    <label class="check wide"
      ><input type="checkbox" name="template" defaultChecked=${stub.template !== false} />
      ${'Fill in templates such as {{request.query.page}}'}
    </label>
    ${folded(
      'Delay and order',
      TIMING,
      html`
        <${Field} form=${form} name="delay" label="Delay" hint="in ms" placeholder="0" />
        <${Field} form=${form} name="skip" label="Skip requests" inputmode="numeric" placeholder="0" />
        <${Field} form=${form} name="priority" label="Priority" inputmode="numeric" placeholder="0" />
      `,
    )}
    <p class="alert wide" role="alert">${errors[''] ?? (Object.keys(errors).length > 0 ? 'Not saved: see the fields.' : '')}</p>
    <div class="row wide">
      <button class="strong">${id === undefined ? 'Add stub' : 'Save'}</button>
      <button type="button" onclick=${close}>Cancel</button>
    </div>
  </form>`;
}

/** Escape closes the dialog, and not the entry behind it, too. */
const stay = (event) => event.stopPropagation();

/** Members of a stub without its state. */
const ruleOf = ({ id: _id, seen: _seen, hits: _hits, dataset: _dataset, ...stub }) => ({ match: {}, ...stub });

/**
 * Adds a stub or changes one.
 * @param id the stub to change
 * @param entry the entry of the journal whose response the stub begins with
 * @param place the sandbox
 */
export function StubDialog({ model, id, entry, place, close }) {
  const path = id === undefined ? entry && `journal/${entry}/stub` : `stubs/${id}`;
  const [stub, setStub] = useState(path === undefined ? EMPTY : null);
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
    if (path === undefined) return;
    model.api.call('GET', path, { sandbox: place }).then(
      (found) => setStub(ruleOf(found)),
      (error) => {
        close();
        model.set({ message: { text: error.message, failed: true } });
      },
    );
  }, []);
  return html`<dialog class="stub-dialog" aria-labelledby="stub-title" ref=${dialog} onclose=${close} onkeydown=${stay}>
    <div class="head">
      <h2 id="stub-title">${id === undefined ? (entry === undefined ? 'Add a stub' : 'Respond differently') : `Edit stub ${id}`}</h2>
      <button type="button" class="plain" aria-label="Close" onclick=${close}>✕</button>
    </div>
    ${stub === null ? html`<p class="quiet">Loading</p>` : html`<${Form} model=${model} stub=${stub} id=${id} place=${place} close=${close} />`}
  </dialog>`;
}
