import { Api } from './api.js';
import { StatusBar } from './bar.js';
import { Controls } from './controls.js';
import { DropTarget, LoadDialog } from './content/load.js';
import { html, render } from './htm.js';
import { Journal } from './journal.js';
import { Model } from './model.js';
import { tokenDialog } from './token.js';

/** The result of the last action, with a button that undoes it. */
function Message({ model }) {
  const { message } = model;
  const close = () => model.set({ message: null });
  return html`<div id="message" class=${`message ${message?.failed ? 'failed' : ''}`} hidden=${message === null}>
    <p role="status">${message?.text ?? ''}</p>
    ${message?.link && html`<a href=${message.link.href}>${message.link.text}</a>`}
    ${message?.undo && html`<button type="button" id="undo" onclick=${() => model.act(message.undo)}>Undo</button>`}
    ${message && html`<button type="button" class="plain" aria-label="Dismiss" onclick=${close}>✕</button>`}
  </div>`;
}

/** The page. Components draw what the model has. */
function App({ model }) {
  // Before the first response it is not known whether the visitor may see anything.
  if (model.state === null) return html`<${Message} model=${model} />`;
  return html`<div class="page" data-view=${model.view}>
    <${StatusBar} model=${model} />
    <main id="main">
      <${Journal} model=${model} />
      <${Controls} model=${model} />
    </main>
    <${Message} model=${model} />
    <${DropTarget} model=${model} />
    ${model.loading && html`<${LoadDialog} model=${model} />`}
  </div>`;
}

/**
 * Starts the page.
 * @param {Window & typeof globalThis} window
 * @param {{ isLive?: boolean }} [options] `isLive`: whether the page follows the server
 * @returns functions that stop the page and refresh it immediately
 */
export async function start(window, { isLive = true } = {}) {
  const { document } = window;
  const model = new Model(window, new Api(window, tokenDialog(document)));
  const root = document.getElementById('app');
  const draw = () => render(html`<${App} model=${model} />`, root);
  model.listeners.add(draw);
  draw();
  const end = () => {
    model.end();
    model.listeners.clear();
    render(null, root);
  };
  if (isLive) void model.follow();
  else await model.refresh();
  return { model, refresh: () => model.refresh(), end };
}
