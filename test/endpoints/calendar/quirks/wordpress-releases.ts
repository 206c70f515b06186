import type { RELEASE_QUIRKS } from '../../../../src/wordpress/quirks/release-rows.js';
import { proof, tried, type Ask, type Proof } from './proof.js';

const ABILITIES = '/wp-abilities/v1/abilities';

/** The body of an ability or of a result of one. */
const ability = async ({ get }: Ask, path: string): Promise<Record<string, unknown>> =>
  (await get<Record<string, unknown>>(`${ABILITIES}${path}`, 'admin')).body;

/** Releases of WordPress. */
export const WORDPRESS_PROOFS = {
  'term-words-list-all': proof({
    ask: async ({ get }) => (await get<object[]>('/wp/v2/tags?include=0')).body.length > 0,
    plugin: true,
    documented: false,
  }),
  'no-abilities': proof({
    ask: (ask) => tried(ask, 'GET', '/wp-abilities/v1'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'global-styles-by-name': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/global-styles/dark', 'admin'),
    plugin: '404 rest_global_styles_not_found',
    documented: '404 rest_no_route',
  }),
  'no-icons': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/icons/core/calendar', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-icon-collections': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/icons/core', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-view-config': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/view-config?kind=root&name=site', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-user-info-ability': proof({
    ask: async (ask) => (await ability(ask, '/core/get-user-info/run?input[fields][]=user_login')).user_login === 'admin',
    plugin: false,
    documented: true,
  }),
  'no-public-abilities': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '/core/get-site-info?_fields=meta')).includes('"public"'),
    plugin: false,
    documented: true,
  }),
  'untitled-ability-results': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '/core/get-site-info?_fields=output_schema')).includes('"title"'),
    plugin: false,
    documented: true,
  }),
  'abilities-by-category-only': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '?namespace=cor')) === '[]',
    plugin: false,
    documented: true,
  }),
  'environment-takes-no-input': proof({
    ask: async (ask) => Object.keys(await ability(ask, '/core/get-environment-info/run?input[fields][]=wp_version')),
    plugin: ['code', 'message', 'data'],
    documented: ['wp_version'],
  }),
  'ability-input-as-sent': proof({
    ask: async (ask) => Object.keys(await ability(ask, '/core/get-site-info/run?input[fields]=charset,url')).includes('url'),
    plugin: false,
    documented: true,
  }),
} satisfies Record<keyof typeof RELEASE_QUIRKS, Proof>;
