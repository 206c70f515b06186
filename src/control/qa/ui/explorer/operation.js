import { pretty } from '../format.js';
import { html, useEffect, useRef } from '../htm.js';
import { factsOf, fieldSample, resolved } from './operations.js';
import { curlOf, requestOf } from './request.js';
import { Response } from './response.js';
import { Method } from './routes.js';

/** Texts with `code`. */
const Marked = ({ text = '' }) => text.split(/\u0060/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

const Facts = ({ schema }) => html`<span class="facts">${factsOf(schema).join(' · ')}</span>`;

const choicesOf = ({ type, enum: values }) => (type === 'boolean' ? [true, false] : type === 'array' ? undefined : values);

/** Invalid values can be typed, to see the error, except where there are few values. */
function Input({ id, parameter: { name, schema, example, in: place }, value, change }) {
  const choices = choicesOf(schema);
  const describedBy = `${id}-about`;
  const oninput = ({ target }) => change(name, target.value);
  if (choices)
    return html`<select id=${id} aria-describedby=${describedBy} value=${value} onchange=${oninput}>
      <option value="">${schema.default === undefined ? '' : `default: ${schema.default}`}</option>
      ${choices.map((each) => html`<option key=${String(each)} value=${String(each)}>${String(each)}</option>`)}
    </select>`;
  const hint = example ?? schema.example ?? schema.default ?? '';
  return html`<input
    id=${id}
    aria-describedby=${describedBy}
    autocomplete="off"
    spellcheck="false"
    required=${place === 'path'}
    placeholder=${typeof hint === 'object' ? '' : String(hint)}
    value=${value}
    oninput=${oninput}
  />`;
}

function Parameter({ parameter, values, change, isWrong }) {
  const { name, required, description, schema } = parameter;
  const id = `parameter-${name}`;
  return html`<div class=${`parameter ${isWrong ? 'wrong' : ''}`}>
    <label for=${id}><code>${name}</code>${required && html`<span class="required"> required</span>`}</label>
    <${Input} id=${id} parameter=${parameter} value=${values[name] ?? ''} change=${change} />
    <p id=${`${id}-about`}><${Marked} text=${description} /> <${Facts} schema=${schema} /></p>
  </div>`;
}

/** The text with a field added, or null if it is not a JSON object. */
function withField(text, { name, schema }) {
  try {
    return JSON.stringify({ ...JSON.parse(text.trim() || '{}'), [name]: fieldSample(name, schema) }, null, 2);
  } catch {
    return null;
  }
}

function jsonProblem(text) {
  try {
    JSON.parse(text.trim() || '{}');
    return '';
  } catch (error) {
    return `This is not JSON: ${error.message}`;
  }
}

function Body({ operation, form, model }) {
  const { fields } = operation.body;
  const problem = jsonProblem(form.body);
  const add = (field) => {
    const body = withField(form.body, field);
    if (body !== null) model.fill(operation, { body });
  };
  return html`<section>
    <h3><label class="inline" for="body">Body (JSON)</label></h3>
    <textarea
      id="body"
      rows=${Math.min(18, Math.max(4, form.body.split('\n').length + 1))}
      spellcheck="false"
      aria-describedby="body-problem"
      value=${form.body}
      oninput=${({ target }) => model.fill(operation, { body: target.value })}
    ></textarea>
    <p id="body-problem" class="alert" role="status">${problem}</p>
    <details class="fields-list">
      <summary>Fields (${fields.length})</summary>
      <ul>
        ${fields.map(
          (field) =>
            html`<li key=${field.name} class="parameter">
              <span><code>${field.name}</code>${field.required && html`<span class="required"> required</span>`}</span>
              <button type="button" class="small" aria-label=${`Add ${field.name} to the body`} onclick=${() => add(field)}>Add</button>
              <p><${Marked} text=${field.schema.description} /> <${Facts} schema=${field.schema} /></p>
            </li>`,
        )}
      </ul>
    </details>
  </section>`;
}

/** Members of an object, those of their objects in turn when they are opened. */
function Schema({ document, schema: declared, depth = 0 }) {
  const schema = resolved(document, declared);
  const inner = schema.items ? resolved(document, schema.items) : schema;
  const properties = Object.entries(inner.properties ?? {});
  if (inner.allOf && properties.length === 0) return html`<${Schema} document=${document} schema=${inner.allOf[0]} depth=${depth} />`;
  if (properties.length === 0) return html`<p class="quiet"><${Facts} schema=${schema} /></p>`;
  return html`<ul class="members">
    ${properties.map(([name, each]) => {
      const member = resolved(document, each);
      const below = resolved(document, member.items ?? member);
      const head = html`<code>${name}</code> <${Facts} schema=${member} />
        <span class="quiet"><${Marked} text=${member.description} /></span>`;
      if (depth > 4 || !below.properties) return html`<li key=${name}>${head}</li>`;
      return html`<li key=${name}>
        <details>
          <summary>${head}</summary>
          <${Schema} document=${document} schema=${member} depth=${depth + 1} />
        </details>
      </li>`;
    })}
  </ul>`;
}

function Responses({ operation: { responses, document } }) {
  return html`<section>
    <h3>Responses</h3>
    ${Object.entries(responses).map(([status, { description, content }]) => {
      const { schema, examples } = content?.['application/json'] ?? {};
      const example = examples && resolved(document, Object.values(examples)[0]).value;
      const head = html`<code>${status}</code> <${Marked} text=${description} />`;
      if (!schema || Object.keys(schema).length === 0) return html`<p key=${status} class="answer">${head}</p>`;
      return html`<details key=${status} class="answer">
        <summary>${head}</summary>
        <${Schema} document=${document} schema=${schema} />
        ${
          example !== undefined &&
          html`<h4>Example</h4>
            <pre>${pretty(example)}</pre>`
        }
      </details>`;
    })}
  </section>`;
}

function Request({ model, operation, form }) {
  const { sender, window } = model;
  const request = requestOf(operation, form, model);
  const isThroughTestApi = sender.kind === 'administrator' && operation.api === 'rest';
  const copy = async () => {
    try {
      await window.navigator.clipboard.writeText(curlOf(request, sender));
      model.set({ note: 'Copied. The password is the variable $PASSWORD.' });
    } catch {
      model.set({ note: 'The browser does not allow access to the clipboard.' });
    }
  };
  return html`<section class="request">
    <p class="address"><${Method} name=${request.method} /> <code>${decodeURI(request.url)}</code></p>
    <div class="row">
      <button type="submit" class="strong" form="try" disabled=${model.isSending}>Send</button>
      <button type="button" onclick=${copy}>Copy as curl</button>
      <button type="button" onclick=${() => model.fill(operation, null)}>Clear</button>
    </div>
    <details>
      <summary>Headers</summary>
      <label for="headers"
        >One on each line, such as Accept-Language: de
        <textarea
          id="headers"
          rows="3"
          spellcheck="false"
          value=${form.headers ?? ''}
          oninput=${({ target }) => model.fill(operation, { headers: target.value })}
        ></textarea>
      </label>
    </details>
    ${isThroughTestApi && html`<p class="small-text quiet">As the administrator, through the test API: not in the journal, and without faults.</p>`}
    <p class="small-text" role="status">${model.note}</p>
  </section>`;
}

/** An operation: what it takes and returns, and a form that sends it. */
export function Operation({ model }) {
  const { selected: operation } = model;
  const heading = useRef(null);
  const form = model.formOf(operation);
  useEffect(() => {
    heading.current?.closest('article').scrollTo?.(0, 0);
    if (model.wasChosen) heading.current?.focus({ preventScroll: true });
  }, [operation.id]);
  const change = (name, value) => model.fill(operation, { values: { ...form.values, [name]: value } });
  const submit = (event) => {
    event.preventDefault();
    void model.send();
  };
  const wrong = form.response?.json?.data?.params ?? {};
  const groups = [
    ['Path', operation.parameters.filter((each) => each.in === 'path')],
    ['Query', operation.parameters.filter((each) => each.in === 'query')],
  ].filter(([, parameters]) => parameters.length > 0);
  return html`<div class="operation" key=${operation.id}>
    <a class="back" href="#">All routes</a>
    <div class="about">
      <h2 ref=${heading} tabindex="-1">${operation.summary}</h2>
      <p class="badges">
        <${Method} name=${operation.method} /> <code>${operation.path}</code>
        ${operation.needsLogin && operation.api === 'rest' && html`<span class="badge">needs a login</span>`}
        ${operation.isListedOnly && html`<span class="badge warm">not implemented: status 501</span>`}
      </p>
      ${operation.description && html`<p><${Marked} text=${operation.description} /></p>`}
    </div>
    <form id="try" class="inputs" autocomplete="off" onsubmit=${submit}>
      ${groups.map(
        ([title, parameters]) =>
          html`<section key=${title}>
            <h3>${title}</h3>
            ${parameters.map(
              (each) =>
                html`<${Parameter}
                  key=${each.name}
                  parameter=${each}
                  values=${form.values}
                  change=${change}
                  isWrong=${each.name in wrong}
                />`,
            )}
          </section>`,
      )}
      ${operation.body && html`<${Body} ...${{ operation, form, model }} />`}
      ${groups.length === 0 && !operation.body && html`<p class="quiet">No parameters.</p>`}
      <${Responses} operation=${operation} />
    </form>
    <div class="result">
      <${Request} ...${{ model, operation, form }} />
      <${Response} ...${{ model, operation, response: form.response }} />
    </div>
  </div>`;
}
