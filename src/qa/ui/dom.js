/**
 * Makes an element. Texts are set as text: nothing of what the server tells is ever read as HTML.
 * @param {Document} document
 * @param {string} name of the element
 * @param {Record<string, string | boolean | null | undefined | EventListener>} [attributes] `on…` adds a listener, `false`, `null` and `undefined` leave one out
 * @param {...(Node | string | null | false)} children
 * @returns {HTMLElement}
 */
export function make(document, name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** The fields of a form by name, without those that are empty. */
export const fieldsOf = (form) =>
  Object.fromEntries([...form.elements].filter(({ name, value }) => name && value !== '').map(({ name, value }) => [name, value]));

/** Calls a work when a form is sent, in place of sending it. */
export function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    work(fieldsOf(form));
  });
}
