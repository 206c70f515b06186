import { counted } from './format.js';
import { html, useEffect, useState } from './htm.js';

/** The snapshots that are made before something is replaced, so that it can be undone. */
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

/** Replaces the content with files of any format. @param pristine whether a reset restores them from now on */
export async function load(model, files, pristine = false) {
  const { window, api } = model;
  const name = files.map((file) => file.name).join(', ');
  model.set({ problems: null });
  const action = async () => {
    const dataset = await Promise.all(files.map(async (file) => ({ name: file.name, content: await base64(file, window) })));
    try {
      const { posts, terms } = await api.call('POST', 'seed/files', { body: { dataset, partial: true, pristine } });
      return `Loaded ${name}: ${counted(posts, 'post')} and ${counted(terms, 'term')}.`;
    } catch (error) {
      const { problems } = error.data ?? {};
      if (!problems) throw error;
      model.set({ problems: { name, problems }, view: 'controls' });
      throw new Error(`${name} has ${counted(problems.length, 'problem')}. Nothing was changed.`, { cause: error });
    }
  };
  // A snapshot does not contain what a reset returns to.
  await undoable(model, BEFORE.load, action, pristine ? 'Undone. Reset still returns to the loaded file.' : undefined);
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
      void load(model, [...event.dataTransfer.files]);
    };
    const handlers = { dragover: over, dragleave: leave, drop };
    for (const [type, handler] of Object.entries(handlers)) document.addEventListener(type, handler);
    return () => {
      for (const [type, handler] of Object.entries(handlers)) document.removeEventListener(type, handler);
    };
  }, []);
  return html`<div class="drop" hidden=${!isOver}><p>Drop to replace the content with this dataset</p></div>`;
}
