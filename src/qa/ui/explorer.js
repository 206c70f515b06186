import { Api } from './api.js';
import { clockPanel } from './clock.js';
import { contentPanel } from './content.js';
import { faultsPanel } from './faults.js';
import { journalPanel } from './journal.js';
import { sandboxesPanel } from './sandboxes.js';

const POLL_MS = 1000;

/** Asks for the token in the dialog. */
function tokenDialog(document) {
  const dialog = document.getElementById('token-dialog');
  const form = document.getElementById('token-form');
  // There is no going on without it.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  return (wasWrong) =>
    new Promise((resolve) => {
      document.getElementById('token-wrong').textContent = wasWrong ? 'That is not the token.' : '';
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

/** Does what somebody asked for and tells how it ended: with the words that the work gives, or those of its failure. */
function telling(document) {
  const line = document.getElementById('message');
  const tell = (text, failed) => {
    line.textContent = text;
    line.className = failed ? 'message alert' : 'message';
  };
  return async (work) => {
    try {
      tell(await work(), false);
    } catch (error) {
      tell(error.message, true);
    }
  };
}

/** Swagger UI follows the scheme by a class, not by itself. */
function followScheme({ document, matchMedia }) {
  const dark = matchMedia?.('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark?.matches ?? false);
  dark?.addEventListener('change', follow);
  follow();
}

/** Loads Swagger UI, which is no module: it leaves a function with the window. */
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
      layout: 'BaseLayout',
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: false,
      // Would send the document to a server elsewhere.
      validatorUrl: null,
      // It has a main part of its own, of which a page has one.
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
 * Brings the page to life.
 * @param {Window & typeof globalThis} window
 * @param {{ withApi?: boolean }} [options] `withApi`: whether to load Swagger UI
 * @returns what ends it again, and what shows the present state at once
 */
export async function start(window, { withApi = true } = {}) {
  const { document } = window;
  const api = new Api(window, tokenDialog(document));
  const act = telling(document);
  const around = { window, document, api, act };
  followScheme(window);
  const clock = clockPanel(around);
  const journal = journalPanel(around);
  const panels = { clock, content: contentPanel(around), faults: faultsPanel(around), sandboxes: sandboxesPanel(around), journal };
  let isAway = false;
  let isOver = false;

  const showAll = async () => {
    const { url, engine, sandbox } = await api.call('GET', 'health');
    document.getElementById('about').textContent = `${url}${sandbox === undefined ? '' : `, sandbox ${sandbox}`} (database: ${engine})`;
    for (const panel of Object.values(panels)) await panel.refresh();
  };

  /** What may change without anybody touching this page. */
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
      // A server that was started again counts from one.
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
