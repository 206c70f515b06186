import { describedExamples } from './parameter-examples.js';
import { Api } from './api.js';
import { clockPanel } from './clock.js';
import { contentPanel } from './content.js';
import { faultsPanel } from './faults.js';
import { journalPanel } from './journal.js';
import { sandboxesPanel } from './sandboxes.js';

const POLL_MS = 1000;

/** Asks for the token in a dialog. */
function tokenDialog(document) {
  const dialog = document.getElementById('token-dialog');
  const form = document.getElementById('token-form');
  // The dialog cannot be canceled, since the page needs the token.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  return (wasWrong) =>
    new Promise((resolve) => {
      document.getElementById('token-wrong').textContent = wasWrong ? 'Invalid token.' : '';
      dialog.showModal();
      form.addEventListener(
        'submit',
        (event) => {
          event.preventDefault();
          dialog.close();
          resolve(form.elements.namedItem('token').value);
        },
        { once: true },
      );
    });
}

/** Returns a function that runs an action and shows its message or its error. */
function messageLine(document) {
  const line = document.getElementById('message');
  const show = (text, failed) => {
    line.textContent = text;
    line.className = failed ? 'message alert' : 'message';
  };
  return async (action) => {
    try {
      show(await action(), false);
    } catch (error) {
      show(error.message, true);
    }
  };
}

/** Applies the color scheme to Swagger UI, which needs a class for it. */
function followScheme({ document, matchMedia }) {
  const dark = matchMedia?.('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark?.matches ?? false);
  dark?.addEventListener('change', follow);
  follow();
}

/** Loads Swagger UI, which is not a module, but sets a global function. */
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

/**
 * Starts the page.
 * @param {Window & typeof globalThis} window
 * @param {{ withApi?: boolean }} [options] `withApi`: whether to load Swagger UI
 * @returns functions that stop the page and refresh it immediately
 */
export async function start(window, { withApi = true } = {}) {
  const { document } = window;
  const api = new Api(window, tokenDialog(document));
  const act = messageLine(document);
  const around = { window, document, api, act };
  followScheme(window);
  const clock = clockPanel(around);
  const journal = journalPanel(around);
  const panels = { clock, content: contentPanel(around), faults: faultsPanel(around), sandboxes: sandboxesPanel(around), journal };
  let isAway = false;
  let isOver = false;

  const showAll = async () => {
    const { url, engine, sandbox, profile, version } = await api.call('GET', 'health');
    const place = `${url}${sandbox === undefined ? '' : `, sandbox ${sandbox}`}`;
    document.getElementById('about').textContent = `${place}: The Events Calendar ${version}, profile ${profile} (database: ${engine})`;
    for (const panel of Object.values(panels)) await panel.refresh();
  };

  /** Refreshes what may change without user interaction. */
  const poll = async () => {
    try {
      if (isAway) {
        await showAll();
        document.getElementById('message').textContent = '';
      } else {
        await clock.refresh();
        if (journal.isLive() && (await journal.refresh())) await panels.faults.refresh();
      }
      isAway = false;
    } catch (error) {
      if (isOver) return;
      if (!isAway) await act(() => Promise.reject(error));
      // A restarted server numbers entries from 1.
      journal.clear();
      isAway = true;
    }
  };

  let timer;
  const again = () => {
    if (isOver) return;
    timer = window.setTimeout(() => void (document.hidden ? Promise.resolve() : poll()).then(again), POLL_MS);
  };
  await showAll().catch((error) => {
    isAway = true;
    return act(() => Promise.reject(error));
  });
  if (withApi) showApi(window, api);
  again();
  return {
    refresh: showAll,
    end: () => {
      isOver = true;
      window.clearTimeout(timer);
      clock.end();
    },
  };
}
