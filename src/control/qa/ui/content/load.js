import { counted } from '../format.js';
import { html, useEffect, useRef, useState } from '../htm.js';

/** The snapshots that are saved before content is replaced, for undo. */
export const BEFORE = { reset: 'before-reset', load: 'before-load' };

/**
 * Runs an action that replaces content. The message can undo it.
 * @param name name of the snapshot that is made first
 * @param undone the message after that
 */
export const undoable = (model, name, action, undone = 'Undone.') =>
  model.act(async () => {
    const { api, state } = model;
    await api.call('PUT', `snapshots/${name}`, { body: {} });
    const text = await action();
    const undo = async () => {
      await api.call('POST', `snapshots/${name}/restore`, { body: {} });
      // A snapshot does not contain the release of the plugin.
      if (model.state.version !== state.version) await api.call('PUT', 'version', { body: { version: state.version } });
      return undone;
    };
    return { text, undo };
  });

/** Content of a file in base64. */
function base64(file, { FileReader }) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result.slice(reader.result.indexOf(',') + 1)));
    reader.addEventListener('error', () => reject(new Error(`Cannot read ${file.name}.`)));
    reader.readAsDataURL(file);
  });
}

const namesOf = (files) => files.map((file) => file.name).join(', ');

/**
 * Loads files of any format. Clock and time zone stay as they are where the files have none.
 * @param mode `replace` or `add`
 * @param pristine whether a reset restores them from now on
 */
async function load(model, files, mode, pristine) {
  const { window, api } = model;
  const name = namesOf(files);
  model.set({ problems: null });
  const action = async () => {
    const dataset = await Promise.all(files.map(async (file) => ({ name: file.name, content: await base64(file, window) })));
    try {
      const body = { dataset, mode, partial: true, pristine, keep: true };
      const { posts, terms, warnings } = await api.call('POST', 'seed/files', { body });
      if (warnings.length > 0) model.set({ problems: { name, problems: warnings, isLoaded: true }, view: 'controls' });
      const warned = warnings.length === 0 ? '' : `, with ${counted(warnings.length, 'warning')}`;
      return `${mode === 'add' ? 'Added' : 'Loaded'} ${name}: ${counted(posts, 'post')} and ${counted(terms, 'term')}${warned}.`;
    } catch (error) {
      const { problems } = error.data ?? {};
      if (!problems) throw error;
      model.set({ problems: { name, problems }, view: 'controls' });
      throw new Error(`${name} has ${counted(problems.length, 'problem')}. Nothing was changed.`, { cause: error });
    }
  };
  // A snapshot does not contain the dataset that a reset restores.
  await undoable(model, BEFORE.load, action, pristine ? 'Undone. A reset still restores the loaded file.' : undefined);
}

/** Asks what to do with files. */
export function LoadDialog({ model }) {
  const { files } = model.loading;
  const { counts } = model.state;
  const dialog = useRef(null);
  const [pristine, setPristine] = useState(false);
  useEffect(() => dialog.current.showModal(), []);
  const close = () => model.set({ loading: null });
  const run = (mode) => {
    close();
    void load(model, files, mode, mode === 'replace' && pristine);
  };
  return html`<dialog id="load-dialog" aria-labelledby="load-title" ref=${dialog} onclose=${close}>
    <div class="head">
      <h2 id="load-title">Load ${namesOf(files)}</h2>
      <button type="button" class="plain" aria-label="Close" onclick=${close}>✕</button>
    </div>
    <p>
      The site has ${counted(counts.events ?? 0, 'event')}. Clock and time zone stay as they are, unless the file sets them. You can undo
      either choice.
    </p>
    <label class="check">
      <input type="checkbox" id="load-pristine" checked=${pristine} onchange=${({ target }) => setPristine(target.checked)} />
      After a replacement, a reset restores the loaded file
    </label>
    <div class="row">
      <button type="button" id="load-replace" onclick=${() => run('replace')}>Replace the content</button>
      <button type="button" id="load-add" onclick=${() => run('add')}>Add to it</button>
      <button type="button" class="plain" onclick=${close}>Cancel</button>
    </div>
  </dialog>`;
}

/** Takes files that are dropped anywhere on the page. */
export function DropTarget({ model }) {
  const { document } = model.window;
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes('Files');
    const over = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }) => relatedTarget ?? setOver(false);
    const drop = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      model.set({ loading: { files: [...event.dataTransfer.files] } });
    };
    const handlers = { dragover: over, dragleave: leave, drop };
    for (const [type, handler] of Object.entries(handlers)) document.addEventListener(type, handler);
    return () => {
      for (const [type, handler] of Object.entries(handlers)) document.removeEventListener(type, handler);
    };
  }, []);
  return html`<div class="drop" hidden=${!isOver}><p>Drop to load this dataset</p></div>`;
}
