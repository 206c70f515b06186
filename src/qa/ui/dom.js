/**
 * Creates an element. Text is never interpreted as HTML.
 * @param {Document} document
 * @param {string} name name of the element
 * @param {Record<string, string | boolean | null | undefined | EventListener>} [attributes] `on…` adds a listener; `false`, `null` and `undefined` are omitted
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

/** The non-empty fields of a form, by name. */
export const fieldsOf = (form) =>
  Object.fromEntries([...form.elements].filter(({ name, value }) => name && value !== '').map(({ name, value }) => [name, value]));

/** Calls a function instead of submitting a form. */
export function onSubmit(form, handler) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    handler(fieldsOf(form));
  });
}
