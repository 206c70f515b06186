// The page of the test surface in a DOM without a browser: its own modules, against a real server.
import axe from 'axe-core';
import { JSDOM, VirtualConsole } from 'jsdom';
import { start } from '../../src/qa/ui/explorer.js';

export { PRESETS } from '../../src/qa/ui/faults.js';

/** Opens the page, signs in with the tokens in turn, and gives what a person could do with it. */
export async function openPage(url, tokens) {
  const answer = await fetch(url);
  // It would complain of the canvas that axe-core looks for.
  const virtualConsole = new VirtualConsole();
  const dom = new JSDOM(await answer.text(), { url, runScripts: 'outside-only', pretendToBeVisual: true, virtualConsole });
  const { window } = dom;
  const { document } = window;
  const left = [...tokens];
  const asked = [];
  const requests = [];

  // What the DOM lacks of a browser.
  window.HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
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
      if (init.method !== 'GET') requests.push(`${init.method} ${new URL(target).pathname} ${response.status}`);
      return response;
    } finally {
      under -= 1;
    }
  };

  const find = (selector) => {
    const found = document.querySelector(selector);
    if (!found) throw new Error(`There is no ${selector} on the page.`);
    return found;
  };
  /** What was asked for is done when no request is under way and none follows. */
  const settled = async () => {
    for (let calm = 0; calm < 3; calm = under === 0 ? calm + 1 : 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const page = await start(window, { withApi: false });
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
    async send(selector, fields) {
      const form = find(selector);
      for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
      form.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
      await settled();
    },
    /** Requests that change something, with their statuses, since the last time this was asked. */
    requests: () => requests.splice(0),
    count: (selector) => document.querySelectorAll(selector).length,
    refresh: () => page.refresh(),
    async violations() {
      window.eval(axe.source);
      // Without layout there are no colours to compare: Chromium does that.
      const { violations } = await window.axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    end() {
      page.end();
      window.close();
    },
  };
}
