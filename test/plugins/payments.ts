import { createHash } from 'node:crypto';
import type { Plugin } from '../../src/plugins/plugin.js';
import type { PageResponse } from '../../src/wordpress/rest/request.js';
import type { PagePlugin } from '../../src/wordpress/views/reading.js';

declare module '../../src/wordpress/views/reading.js' {
  interface AddressesOfPlugins {
    payments: { kind: 'payments' };
  }
  interface ContentOfPlugins {
    payments: { kind: 'payments' };
  }
}

const RELEASE = '1.0.0';

const json = (status: number, body: object): PageResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Payment providers post JSON to `/payments/`, and sign it as it is sent. */
const PAGES: PagePlugin = {
  readAddress: ([first, ...others]) => (first === 'payments' && others.length === 0 ? { kind: 'payments' } : undefined),
  find: ({ kind }) => Promise.resolve(kind === 'payments' ? { kind } : undefined),
  page: ({ kind }, { request: { method, body, headers } }) => {
    if (kind !== 'payments') return Promise.resolve(undefined);
    if (method !== 'POST') return Promise.resolve(json(405, { error: 'Post a payment.' }));
    const isSigned = createHash('sha256').update(body).digest('hex') === headers['x-signature'];
    const { amount } = JSON.parse(body.toString('utf8')) as { amount: number };
    return Promise.resolve(json(isSigned ? 200 : 400, { amount, isSigned }));
  },
};

/** A plugin whose page reads what is posted to it. */
export const payments: Plugin = {
  name: 'payments',
  title: 'Payments',
  releases: [RELEASE],
  findRelease: (text) => (text === RELEASE ? text : null),
  isDefault: false,
  requires: [],
  namespaces: [],
  quirks: {},
  loadRegistrations: () => Promise.resolve({}),
  loadResponses: () => Promise.resolve({ namespaces: () => [], pages: PAGES }),
};
