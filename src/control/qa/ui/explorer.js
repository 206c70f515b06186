import { Api } from './api.js';
import { html, render } from './htm.js';
import { Model } from './explorer/model.js';
import { Operation } from './explorer/operation.js';
import { Routes } from './explorer/routes.js';
import { SendAs, SignIn } from './explorer/sender.js';
import { tokenDialog } from './token.js';

const Welcome = () =>
  html`<div class="welcome">
    <h2>All routes of this server</h2>
    <p>
      Choose a route, or search for words of its path, its name or its parameters: <kbd>/</kbd> moves to the search, and Enter opens the
      first result. Requests are real: they change the content of this server, and the control page lists them.
    </p>
  </div>`;

function App({ model }) {
  const { selected, namespaces } = model;
  if (namespaces.length === 0) return html`<p class="note" role="status">${model.note}</p>`;
  return html`<div class="explorer" data-view=${selected ? 'operation' : 'routes'}>
    <header class="bar">
      <div class="bar-row">
        <h1>API explorer</h1>
        <${SendAs} model=${model} />
        <nav aria-label="Understudy">
          <a href="openapi.json?namespace=all">OpenAPI</a>
          <a href="ui">Control page</a>
        </nav>
      </div>
    </header>
    <main id="main" tabindex="-1">
      <${Routes} model=${model} />
      <article>${selected ? html`<${Operation} key=${selected.id} model=${model} />` : html`<${Welcome} />`}</article>
    </main>
    ${model.isAsking && html`<${SignIn} model=${model} />`}
  </div>`;
}

/**
 * Starts the page.
 * @param {Window & typeof globalThis} window
 */
export async function start(window) {
  const { document } = window;
  const model = new Model(window, new Api(window, tokenDialog(document)));
  const root = document.getElementById('app');
  model.listeners.add(() => render(html`<${App} model=${model} />`, root));
  model.set({ note: 'Loading' });
  window.addEventListener('hashchange', () => {
    model.wasChosen = true;
    model.select();
  });
  try {
    await model.load();
  } catch (error) {
    model.set({ note: error.message });
  }
  return model;
}
