import { make, onSubmit } from './dom.js';

/** Reset and snapshots. */
export function contentPanel({ document, api, act }) {
  const by = (id) => document.getElementById(id);

  const item = ({ name, saved, posts }) =>
    make(
      document,
      'li',
      {},
      make(document, 'strong', {}, name),
      make(document, 'span', { class: 'quiet' }, `${posts} posts, saved ${saved.slice(0, 16).replace('T', ' ')} UTC`),
      make(
        document,
        'span',
        { class: 'row' },
        make(
          document,
          'button',
          { type: 'button', class: 'small', 'aria-label': `Restore ${name}`, onclick: () => restore(name) },
          'Restore',
        ),
        make(document, 'button', { type: 'button', class: 'small', 'aria-label': `Delete ${name}`, onclick: () => remove(name) }, 'Delete'),
      ),
    );

  const refresh = async () => {
    const { snapshots } = await api.call('GET', 'snapshots');
    by('snapshots').replaceChildren(...snapshots.map(item));
  };

  const change = (method, path, words) =>
    act(async () => {
      const { ms } = await api.call(method, path);
      await refresh();
      return ms === undefined ? `${words}.` : `${words} in ${Math.round(ms)} ms.`;
    });
  const address = (name) => `snapshots/${encodeURIComponent(name)}`;
  const restore = (name) => change('POST', `${address(name)}/restore`, `Restored ${name}`);
  const remove = (name) => change('DELETE', address(name), `Deleted ${name}`);

  by('reset').addEventListener('click', () => change('POST', 'reset', 'Reset'));
  onSubmit(by('snapshot-save'), async ({ name }) => {
    await change('PUT', address(name), `Saved ${name}`);
    by('snapshot-save').reset();
  });
  return { refresh };
}
