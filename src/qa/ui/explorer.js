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
      plugins: [describedExamples],
      layout: 'BaseLayout',
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: false,
      // The validator would send the document to another server.
      validatorUrl: null,
      // Swagger UI has its own main landmark; a page must have only one.
      onComplete: () => document.querySelector('#swagger main')?.setAttribute('role', 'none'),
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
// Asks for the token, if one is required, before anything is drawn.
await api.call('GET', 'health');
for (const part of document.querySelectorAll('header, main')) part.hidden = false;
showApi(globalThis, api);
