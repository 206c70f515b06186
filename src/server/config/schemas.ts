import { zonesProblem } from '../../base/php/zone-data.js';
import * as yup from 'yup';
import { datasetFile, INCLUDED_DATASETS } from '../../base/system/included-datasets.js';
import { isAnyAddress } from '../../base/text/hosts.js';
import { readMoment } from '../../base/text/moment.js';
import { didYouMean } from '../../base/text/suggest.js';
import { findLanguage, LANGUAGES } from '../../base/locales/index.js';
import { PRODUCTS, releaseProblem, QUIRK_NAMES } from '../../plugins/quirks.js';
import { pluginProblem } from '../../plugins/register.js';
import { WORDPRESS, WORDPRESS_LINES } from '../../wordpress/quirks.js';
import type { ServerOptions } from './server-options.js';
import { packageRoot } from '../../base/system/package-version.js';
import { faultless } from '../../base/values/faultless.js';
import { isOneOf, lookup } from '../../base/values/records.js';

/** The schemas of option values. */

/** Words for the types of values. */
const TYPES: Readonly<Record<string, string>> = lookup({ string: 'a string', boolean: 'true or false', array: 'a list' });

yup.setLocale({
  mixed: {
    notNull: '${path} must not be null. Leave it out instead',
    notType: ({ path, type, value }) => `${path} must be ${TYPES[type] ?? `a ${type}`}, not ${JSON.stringify(value)}`,
    oneOf: ({ path, value, values }) => `${path} must be one of ${String(values)}${didYouMean(String(value), String(values).split(', '))}`,
  },
  string: { min: ({ path, min }) => `${path} must ${min === 1 ? 'not be empty' : `have at least ${min} characters`}` },
});

/** The value of `--url` with which links use the URL of each request. */
const FOLLOW_REQUEST = 'request';

export const textSchema = (): yup.StringSchema => yup.string().strict();

export const number = (): yup.NumberSchema => yup.number().typeError('${path} must be a number');

export const siteUrl = textSchema().test(
  'url',
  '${path} must be "request" or an http(s) URL without a query, such as https://example.org',
  (value) => {
    if (value === undefined || value === FOLLOW_REQUEST) return true;
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  },
);

/** A URL that is called. */
export const webhookUrl = textSchema().test(
  'webhook',
  ({ value }) =>
    `invalid webhook ${JSON.stringify(value)}. Use an http(s) URL without login and password, such as http://localhost:3000/api/revalidate`,
  (value) => {
    if (value === undefined || !URL.canParse(value)) return value === undefined;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  },
);

const isPlainUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash, username } = new URL(value);
  return /^https?:$/.test(protocol) && search === '' && hash === '' && username === '';
};

export const proxiedUrl = textSchema().test(
  'url',
  '${path} must be the http(s) URL of a site, without query and login, such as https://example.org',
  (value) => value === undefined || isPlainUrl(value),
);

/** The message for a quirk that does not exist or has no valid state. */
function wrongQuirk(given: string): string {
  const [name] = given.split('=');
  const isKnown = isOneOf(QUIRK_NAMES, name);
  const hint = isKnown ? `. Use ${name}=on or ${name}=off` : didYouMean(name, QUIRK_NAMES);
  return `invalid quirk ${JSON.stringify(given)}${hint || `. Use NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`}`;
}

export const quirk = textSchema()
  .meta({ choices: QUIRK_NAMES.flatMap((name) => [`${name}=on`, `${name}=off`]) })
  .test(
    'quirk',
    ({ value }) => wrongQuirk(String(value)),
    (value) => {
      const [name, state] = (value ?? '').split('=');
      return isOneOf(QUIRK_NAMES, name) && ['on', 'off'].includes(state);
    },
  );

export const language = textSchema()
  .meta({ choices: LANGUAGES })
  .test(
    'language',
    `\${path} must be one of ${LANGUAGES.join(', ')}, or one of their locales, such as de_DE`,
    (value) => value === undefined || findLanguage(value) !== null,
  );

export const dateTime = textSchema().test(
  'date-time',
  '${path} must be a time such as 2026-06-15T12:00:00Z',
  (value) => value === undefined || readMoment(value) !== null,
);

/** A release of WordPress or of a plugin, by name. */
export const release = (product: string) =>
  textSchema()
    .meta({ choices: product === WORDPRESS.name ? WORDPRESS_LINES : PRODUCTS[product].releases })
    .test(
      'release',
      faultless((value) => releaseProblem(product, value)),
    );

export const pluginName = textSchema().test('plugin', faultless(pluginProblem));

export const zones = textSchema().test('zones', faultless(zonesProblem));

/** Whether links use the URL of each request. A server on all addresses has no address that is right for all clients. */
export const followsRequest = ({ url, host }: Pick<ServerOptions, 'url' | 'host'>): boolean =>
  url === FOLLOW_REQUEST || (url === undefined && isAnyAddress(host));

/** The URL of the site, if it is set. */
export const fixedUrl = ({ url }: Pick<ServerOptions, 'url'>): string | undefined => (url === FOLLOW_REQUEST ? undefined : url);

/** Whether a server speaks HTTPS. */
export const hasTls = ({ tls, tlsCert, tlsKey }: Pick<ServerOptions, 'tls' | 'tlsCert' | 'tlsKey'>): boolean =>
  tls || tlsCert !== undefined || tlsKey !== undefined;

export const configFile = yup
  .mixed()
  .test('config', '${path} must be a file, or true or false', (value) =>
    typeof value === 'string' ? value !== '' : value === undefined || typeof value === 'boolean',
  );

/** A file or an object. Both are checked when they are loaded. */
const fileOrObject = (): yup.MixedSchema =>
  yup
    .mixed()
    .test('file-or-object', '${path} must be a file, or an object', (value) =>
      typeof value === 'string' ? value !== '' : value === undefined || (typeof value === 'object' && value !== null),
    );

export const DEMO_DATASET = datasetFile('demo', packageRoot);

export const dataset = fileOrObject()
  .meta({ choices: INCLUDED_DATASETS })
  .transform((given: unknown) => (typeof given === 'string' ? datasetFile(given, packageRoot) : given));

export const scenarios = fileOrObject();
export const settings = fileOrObject();
