import { describedExamples } from './parameter-examples.js';
import { Api } from './api.js';
import { tokenDialog } from './token.js';

/** Applies the color scheme to Swagger UI, which needs a class for it. */
function followScheme({ document, matchMedia }) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/** Labels operations that need a login. Swagger UI draws a closed lock for operations without login, and an open one for those with. */
const loginNotes = ({ React }) => ({
  wrapComponents: {
    authorizeOperationBtn:
      () =>
      ({ isAuthorized, onClick }) =>
        isAuthorized ? null : React.createElement('button', { type: 'button', className: 'needs-login', onClick }, 'needs a login'),
  },
});

/** Labels for unlabelled fields of Swagger UI. */
const labelOf = (field) => {
  if (field.id === 'servers') return 'Server';
  return field.closest('[data-param-name]')?.dataset.paramName ?? (field.localName === 'textarea' ? 'Body' : 'Example');
};

/** Labels fields of Swagger UI, and makes scrollable areas focusable. */
function mendAccess({ document, MutationObserver }) {
  const root = document.getElementById('swagger');
  const mend = () => {
    for (const field of root.querySelectorAll(':is(select, textarea):not([aria-label])')) field.setAttribute('aria-label', labelOf(field));
    for (const code of root.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
    // The page has no headings of the second level.
    for (const heading of root.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
      heading.setAttribute('aria-level', Number(heading.localName[1]) - 1);
    for (const [place, name] of [
      ['information-container', 'About'],
      ['schemes-server-container', 'Server'],
    ])
      for (const part of root.querySelectorAll(`.${place}:not([role])`)) {
        part.setAttribute('role', 'region');
        part.setAttribute('aria-label', name);
      }
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
}

/** Shows a description in Swagger UI, which is not a module, but sets a global function. */
function showApi(window, api) {
  const { document } = window;
  const script = document.createElement('script');
  script.src = 'ui/swagger/swagger-ui-bundle.js';
  script.addEventListener('load', () => {
    const { SwaggerUIBundle } = window;
    window.swaggerUi = SwaggerUIBundle({
      url: `${api.base}openapi.json`,
      domNode: document.getElementById('swagger'),
      presets: [SwaggerUIBundle.presets.apis],
      plugins: [describedExamples, loginNotes],
      layout: 'BaseLayout',
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: false,
      // The validator would send the document to another server.
      validatorUrl: null,
      requestInterceptor: (request) => {
        if (request.url.startsWith(api.base)) Object.assign(request.headers, api.headers);
        return request;
      },
    });
  });
  document.head.append(script);
}

const api = new Api(globalThis, tokenDialog(document));
followScheme(globalThis);
mendAccess(globalThis);
// Asks for the token, if one is required, before anything is drawn.
await api.call('GET', 'health');
for (const part of document.querySelectorAll('header, #main')) part.hidden = false;
showApi(globalThis, api);
