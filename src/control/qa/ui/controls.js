import { ClockPanel } from './clock.js';
import { ContentPanel } from './content/panel.js';
import { FaultsPanel } from './rules/faults.js';
import { html } from './htm.js';
import { SnapshotsPanel } from './snapshots.js';
import { StubsPanel } from './rules/stubs.js';

const PANELS = {
  content: { title: 'Content', Body: ContentPanel },
  faults: { title: 'Faults', Body: FaultsPanel },
  stubs: { title: 'Stubs', Body: StubsPanel },
  clock: { title: 'Clock', Body: ClockPanel },
  snapshots: { title: 'Snapshots', Body: SnapshotsPanel },
};

const keyOf = (name) => `understudy-panel-${name}`;

/** Panels that fold. The tab remembers which are closed. */
export function Controls({ model }) {
  const { sessionStorage } = model.window;
  const remember = (name, isOpen) => sessionStorage.setItem(keyOf(name), isOpen ? 'open' : 'closed');
  return html`<section class="controls" aria-label="Controls">
    ${Object.entries(PANELS).map(
      ([name, { title, Body }]) =>
        html`<details
          key=${name}
          id=${`panel-${name}`}
          class="panel"
          open=${sessionStorage.getItem(keyOf(name)) !== 'closed'}
          ontoggle=${({ currentTarget }) => remember(name, currentTarget.open)}
        >
          <summary><h2>${title}</h2></summary>
          <div class="panel-body"><${Body} model=${model} /></div>
        </details>`,
    )}
  </section>`;
}
