import { curlLine, curlLineOf } from './curl.js';
import { entryOf, filteredEntries, FILTERS, NUMBERED } from './filters.js';
import { httpArchive } from './har.js';
import { QaFile, get, type QaRoute } from '../api/route.js';
import type { Args } from '../../../wordpress/rest/route.js';
import type { Tenant } from '../tenant.js';

const LATEST = {
  ...FILTERS,
  limit: { type: 'integer', minimum: 1, description: 'Maximum number of entries: the latest ones. Default: all.' },
} satisfies Args;

const TEXT = 'text/plain; charset=utf-8';

/** Exports of the journal: as an HTTP Archive, and as curl commands. */
export const journalExportRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/journal\\.har', {
    summary: 'Get the journal as an HTTP Archive (HAR 1.2), for browsers and load generators',
    args: { ...LATEST, id: { type: 'integer', description: 'Only this entry.' } },
    handler: async ({ limit = Infinity, id, ...filters }) => {
      const entries = id === undefined ? (await filteredEntries(tenant, filters)).slice(-limit) : [entryOf(tenant, id)];
      const archive = httpArchive(entries, tenant);
      return new QaFile(`${JSON.stringify(archive, null, 1)}\n`, 'application/json; charset=utf-8', {
        'Content-Disposition': 'attachment; filename="journal.har"',
      });
    },
  }),
  get('/__qa/journal/curl', {
    summary: 'Get the requests as curl commands, one per line. Requests whose bodies were dropped are omitted.',
    args: LATEST,
    handler: async ({ limit = Infinity, ...filters }) => {
      const entries = (await filteredEntries(tenant, filters)).slice(-limit);
      const lines = entries.flatMap((entry) => curlLine(entry, tenant) ?? []);
      return new QaFile(lines.map((line) => `${line}\n`).join(''), TEXT);
    },
  }),
  get('/__qa/journal/(?P<id>\\d+)/curl', {
    summary: 'Get a curl command that repeats a request. Secrets are shell variables.',
    args: NUMBERED,
    handler: ({ id }) => new QaFile(`${curlLineOf(entryOf(tenant, id), tenant)}\n`, TEXT),
  }),
];
