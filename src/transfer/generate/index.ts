import { CONTENTS, loadContents } from '../../plugins/register.js';
import type { DatasetSource } from '../source.js';
import { AUTHORS, Maker } from './maker.js';
import type { GenerateOptions } from './options.js';
import { CITIES, ZONES } from './places.js';
import { CATEGORY_WORDS, TAG_WORDS } from './words.js';

export { COSTS, GENERATE_DEFAULTS, type CostKind, type GenerateOptions } from './options.js';

/** The time zones in the options for which there is no town. */
export const unknownZones = ({ zones }: Pick<GenerateOptions, 'zones'>): string[] =>
  zones.map(([zone]) => zone).filter((zone) => !ZONES.includes(zone));

/**
 * Generates content. It depends only on the options, not on the clock or the machine.
 * @param pictures folder to draw the pictures into when the items are read; null: no picture files
 */
export function generate(options: GenerateOptions, pictures: string | null): DatasetSource {
  const { events, venues, organizers, images, zones, seed } = options;
  const contents = CONTENTS.filter(({ name }) => (options.shares[name] ?? 0) > 0).map(({ name }) => name);
  const plugins = CONTENTS.flatMap(({ name, plugin }) => (contents.includes(name) ? [plugin.name] : []));
  const towns = CITIES.filter(({ zone }) => zones.some(([name]) => name === zone)).length;
  const posts = events + towns * (venues + organizers) + images;
  const terms = CATEGORY_WORDS.length + TAG_WORDS.length;
  let drawn: Promise<void> | undefined;
  return {
    name: `generated content with seed ${seed}`,
    siteUrl: '',
    clock: null,
    keepsIds: false,
    ...(plugins.length > 0 ? { plugins } : {}),
    nextIds: { posts: posts + 1, terms: terms + 1 },
    count: 1 + AUTHORS.length + terms + posts + (pictures === null ? 0 : images),
    async *items() {
      const maker = new Maker(
        options,
        (await loadContents()).filter(({ name }) => contents.includes(name)),
      );
      if (pictures !== null) await (drawn ??= maker.draw(pictures));
      yield* maker.items(pictures);
    },
  };
}
