import { lookup, membersOf } from '../../../../base/values/records.js';
import { ATTACHMENT, MENU_ITEM } from '../../../../wordpress/model.js';
import type { DeclaredMeta } from '../../../../wordpress/types/declared-meta.js';
import type { Declarations } from '../../../../wordpress/types/declared.js';
import { checkDeclarations } from '../../../formats/dataset/registered/check.js';
import { PLUGIN_TYPES } from '../../../kinds.js';
import { recordOf, type CoreItem } from './item.js';
import type { CoreList } from './lists.js';
import type { EmulatedMembers } from './emulated-members.js';
import type { SiteReader } from './reader.js';
import {
  declaredMeta,
  declaredSizes,
  declaredTaxonomy,
  declaredType,
  guessedMeta,
  type Schemas,
  type TaxonomyOnSite,
  type TypeOnSite,
} from './types.js';

/** Types without content: parts of a theme, and what has separate routes. */
export const NOT_POSTS: readonly string[] = [
  ...['wp_template', 'wp_template_part', 'wp_global_styles', 'wp_font_family', 'wp_font_face', MENU_ITEM, ATTACHMENT],
  ...PLUGIN_TYPES,
];

/** WP: names that a type or taxonomy may have, and a path of one segment. */
const NAME = /^[a-z0-9_-]{1,32}$/;
const SEGMENT = /^[\w-]+$/;

/** Sections of declarations, in words. */
const DECLARED: Readonly<Record<string, string>> = lookup({
  types: 'The post type',
  taxonomies: 'The taxonomy',
  image_sizes: 'The image size',
  meta: 'The meta of',
});

/** Finds what a site registers, and we do not. */
export class SiteDeclarations {
  /** Notes about content that is not copied, one sentence each. */
  readonly left: string[] = [];

  /** @param own our members without declarations */
  constructor(
    private readonly reader: SiteReader,
    private readonly own: EmulatedMembers,
  ) {}

  /** Whether a type or taxonomy can be declared. */
  private isPlain({ slug, rest_base: base, rest_namespace: namespace = 'wp/v2' }: TypeOnSite | TaxonomyOnSite): boolean {
    return NAME.test(slug) && SEGMENT.test(base) && namespace === 'wp/v2';
  }

  /** Declares the registrations of the site that we do not have. */
  async declared(): Promise<Declarations> {
    const {
      reader,
      own: { registry },
    } = this;
    const { home } = reader.fetcher.live;
    const declared = {
      types: {} as Record<string, unknown>,
      taxonomies: {} as Record<string, unknown>,
      meta: {} as Record<string, unknown>,
    };
    for (const type of reader.types) {
      const { slug } = type;
      if (NOT_POSTS.includes(slug) || registry.isHiddenType(slug)) continue;
      const schema = await reader.schemaOf(slug);
      const list = await reader.listOf(slug);
      const items = await reader.some(slug);
      const meta = this.unknownMeta(slug, schema, items);
      if (registry.findPostType(slug)) {
        if (Object.keys(meta).length > 0) declared.meta[slug] = meta;
      } else if (list.query === null || !this.isPlain(type))
        this.left.push(`The post type ${slug} is not copied: ${this.reasonOf(type, list)}.`);
      else declared.types[slug] = declaredType(type, schema, items, home, meta);
    }
    for (const taxonomy of reader.taxonomies) {
      const { slug } = taxonomy;
      if (registry.findTaxonomy(slug)) continue;
      const list = await reader.listOf(slug, 'objects');
      if (list.query === null || !this.isPlain(taxonomy))
        this.left.push(`The taxonomy ${slug} is not copied: ${this.reasonOf(taxonomy, list)}.`);
      else {
        const types = taxonomy.types?.filter((name) => registry.findPostType(name) ?? declared.types[name]) ?? [];
        const terms = await reader.some(slug, 'objects');
        declared.taxonomies[slug] = declaredTaxonomy({ ...taxonomy, types }, terms, home);
      }
    }
    const sizes = declaredSizes(await this.mediaList());
    const all = { ...declared, image_sizes: sizes } as Declarations;
    await this.leaveOut(all);
    const known = (name: string): boolean => registry.findTaxonomy(name) !== undefined || Object.hasOwn(declared.taxonomies, name);
    for (const type of Object.values(declared.types) as { taxonomies?: string[] }[])
      if (type.taxonomies) type.taxonomies = type.taxonomies.filter(known);
    return Object.fromEntries(Object.entries(all).filter(([, section]) => Object.keys(section as object).length > 0));
  }

  /** Leaves out what no file could declare, such as a taxonomy with a reserved name. */
  private async leaveOut(declared: Declarations): Promise<void> {
    const sections = declared as Record<string, Record<string, { meta?: Record<string, unknown>; supports?: string[] }>>;
    await checkDeclarations(declared, this.own.registry, (at, message) => {
      const [section, name, ...below] = at.split('.');
      const entry = sections[section]?.[name];
      if (entry === undefined) return;
      const key = below[0] === 'meta' ? below[1] : undefined;
      if (key !== undefined) delete entry.meta?.[key];
      // A feature that looks like a misspelled one.
      else if (!below[0]?.startsWith('supports')) {
        delete sections[section][name];
        this.left.push(`${DECLARED[section] ?? section} ${name} is not copied: ${message}.`);
      }
    });
  }

  private reasonOf({ rest_namespace: namespace = 'wp/v2' }: TypeOnSite | TaxonomyOnSite, { query, status }: CoreList): string {
    if (namespace !== 'wp/v2') return `it is in the namespace ${namespace}`;
    if (query !== null) return 'its name or its path is not one that WordPress documents';
    return status === 401 || status === 403
      ? `the site rejects requests for its list (${status})`
      : `its list is not one of posts or terms (${status})`;
  }

  private unknownMeta(type: string, schema: Schemas, items: readonly CoreItem[]): Record<string, DeclaredMeta> {
    const shown = (membersOf(membersOf(schema['meta'])?.['properties']) ?? {}) as Schemas;
    const known = this.knownMeta(type);
    const names = [...new Set([...Object.keys(shown), ...items.flatMap((item) => Object.keys(recordOf(item, 'meta')))])];
    return Object.fromEntries(
      names
        .filter((name) => !known.has(name))
        // Meta that visitors do not see is left out, although the schema has it.
        .filter((name) => items.length === 0 || items.some((item) => Object.hasOwn(recordOf(item, 'meta'), name)))
        .map((name) => {
          const value = items.map((item) => recordOf(item, 'meta')[name]).find((each) => each !== null && each !== undefined);
          return [name, shown[name] ? declaredMeta(shown[name]) : guessedMeta(value)];
        }),
    );
  }

  /** WP: a type that is not registered yet will have what all types have. */
  private knownMeta(type: string): ReadonlySet<string> {
    if (this.own.registry.findPostType(type)) return new Set(this.own.meta(type));
    return new Set([
      ...this.own.registry.sharedMeta.filter(({ types }) => !types || types.includes(type)).map(({ key }) => key),
      'footnotes',
    ]);
  }

  private async mediaList(): Promise<CoreItem[]> {
    const all: CoreItem[] = [];
    for await (const item of this.reader.items(ATTACHMENT, 'objects')) all.push({ id: item.id, media_details: item['media_details'] });
    return all;
  }
}
