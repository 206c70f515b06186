import { html, trusted, type Html } from './html.js';

/** Characters that could end the script element are escaped. */
const jsonText = (data: object): Html =>
  trusted(JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** Structured data of a page (https://json-ld.org). */
export const jsonLd = (data: object): Html =>
  html`<script type="application/ld+json">
    ${jsonText(data)}
  </script> `;

/** Data in exactly the element that programs look for, which is not laid out like others (TEC). */
export const inlineData = (name: string, data: object): Html =>
  trusted(`<script data-js='${name}' type='application/json'>${jsonText(data).text}</script>`);

/** Data for programs that read a page. @param name by which they find it */
export const pageData = (name: string, data: object): Html =>
  html`<script data-js="${name}" type="application/json">
    ${jsonText(data)}
  </script> `;
