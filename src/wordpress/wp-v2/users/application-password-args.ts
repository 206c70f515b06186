import type { Arg } from '../../rest/route.js';
import { argsUnder } from '../../rest/schema.js';
import type { Site } from '../../site.js';
import * as shared from '../args.js';
import { fields as writable, EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../declare.js';

export const CONTEXT = { context: shared.context };

export const APPLICATION_PASSWORD_FIELDS = writable({
  app_id: shared.text('UUID provided by the application.', {
    oneOf: [
      { type: 'string', format: 'uuid' },
      { type: 'string', enum: [''] },
    ],
    under: { 'app-ids-are-uuids': { oneOf: undefined, format: 'uuid' } },
  }),
  name: shared.text('Name of the application.', { minLength: 1, pattern: '.*\\S.*', required: true }),
});

const READ_ONLY = {
  uuid: shown('UUID of the password.', { format: 'uuid' }),
  password: shown('The password, which is returned only once.', {}),
  created: shown('Creation date, in UTC.', { format: 'date-time' }),
  last_used: shown('Date of the last use, in UTC.', { type: ['string', 'null'], format: 'date-time' }),
  last_ip: shown('IP address of the last use.', { type: ['string', 'null'], format: 'ip' }),
};

/** An application password, as OPTIONS describes it. */
export const applicationPasswordSchema = ({ quirks }: Site) =>
  resourceSchema(
    'application-password',
    { ...READ_ONLY, ...argsUnder<Arg>(quirks, APPLICATION_PASSWORD_FIELDS) },
    { ...Object.fromEntries(['uuid', 'app_id', 'name'].map((name) => [name, EVERYWHERE])), password: EDIT_ONLY },
    NOT_EMBEDDED,
  );
