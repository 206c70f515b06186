// The control page in jsdom: its own modules, with a real server.
import axe from 'axe-core';
import { JSDOM, VirtualConsole } from 'jsdom';

export { PRESETS, QUICK } from '../../src/control/qa/ui/rules/fault-words.js';
export { Model } from '../../src/control/qa/ui/model.js';

/** Opens the page, signs in with the given tokens in turn, and returns the actions of a user. */
export async function openPage(url, tokens) {
  const answer = await fetch(url);
  // Hides jsdom's error about canvas, which axe-core uses.
  const virtualConsole = new VirtualConsole();
  const dom = new JSDOM(await answer.text(), { url, runScripts: 'outside-only', pretendToBeVisual: true, virtualConsole });
  const { window } = dom;
  const { document } = window;
  // Globals of a browser that the page's modules use.
  // oxlint-disable-next-line typescript/no-implied-eval -- `draw` is a function
  Object.assign(globalThis, { document, requestAnimationFrame: (draw) => setTimeout(draw, 0), cancelAnimationFrame: clearTimeout });
  const { start } = await import('../../src/control/qa/ui/app.js');
  const left = [...tokens];
  const asked = [];
  const requests = [];

  // Features that jsdom lacks.
  window.HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
    if (this.id !== 'token-dialog') return;
    asked.push(document.getElementById('token-wrong').textContent);
    setTimeout(() => {
      this.querySelector('input').value = left.shift();
      this.querySelector('form').dispatchEvent(new window.Event('submit', { cancelable: true }));
    });
  };
  const downloads = [];
  window.URL.createObjectURL = (blob) => {
    downloads.push(blob);
    return 'blob:test';
  };
  window.URL.revokeObjectURL = () => undefined;
  window.HTMLAnchorElement.prototype.click = function click() {
    requests.push(`download ${this.download}`);
  };
  let under = 0;
  window.fetch = async (target, init) => {
    under += 1;
    try {
      const response = await fetch(target, init);
      if (init.method !== 'GET' && !target.endsWith('__qa/rest'))
        requests.push(`${init.method} ${new URL(target).pathname} ${response.status}`);
      // Reads the whole body, so that no response is still pending.
      return new Response([204, 304].includes(response.status) ? null : await response.arrayBuffer(), response);
    } finally {
      under -= 1;
    }
  };

  const find = (selector) => {
    const found = document.querySelector(selector);
    if (!found) throw new Error(`There is no ${selector} on the page.`);
    return found;
  };
  /** Waits until no request is pending and none follows. */
  const settled = async () => {
    for (let calm = 0; calm < 5; calm = under === 0 ? calm + 1 : 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const page = await start(window, { isLive: false });
  await settled();
  return {
    asked,
    text: (selector) => find(selector).textContent.replace(/\s+/g, ' ').trim(),
    async click(selector) {
      find(selector).dispatchEvent(new window.MouseEvent('click', { bubbles: true }));
      await settled();
    },
    async change(selector, value) {
      const field = find(selector);
      if (typeof value === 'boolean') field.checked = value;
      else field.value = value;
      field.dispatchEvent(new window.Event('change', { bubbles: true }));
      await settled();
    },
    async type(selector, text) {
      const field = find(selector);
      field.value = text;
      field.dispatchEvent(new window.Event('input', { bubbles: true }));
      await settled();
    },
    async press(selector, key) {
      find(selector).dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await settled();
    },
    async choose(selector, files) {
      const field = find(selector);
      const chosen = files.map(({ name, text }) => new window.File([text], name));
      Object.defineProperty(field, 'files', { configurable: true, value: chosen });
      field.dispatchEvent(new window.Event('change', { bubbles: true }));
      await settled();
    },
    query: () => window.location.search,
    value: (selector) => find(selector).value,
    /** Why a field is invalid, or ''. */
    validity: (selector) => find(selector).validationMessage,
    /** ID or name of the element with the focus. */
    focused: () => document.activeElement.id || document.activeElement.name,
    async open(selector) {
      const details = find(selector);
      details.open = true;
      details.dispatchEvent(new window.Event('toggle'));
      await settled();
    },
    async send(selector, fields) {
      const form = find(selector);
      for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
      form.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
      await settled();
    },
    /** Requests with side effects and their statuses, since the last call. */
    requests: () => requests.splice(0),
    count: (selector) => document.querySelectorAll(selector).length,
    async refresh() {
      await page.refresh();
      await settled();
    },
    async violations() {
      window.eval(axe.source);
      // jsdom has no layout, so colors are checked in Chromium.
      const { violations } = await window.axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    end() {
      page.end();
      window.close();
    },
  };
}
