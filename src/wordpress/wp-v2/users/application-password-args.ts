import * as shared from '../args.js';
import { fields as writable } from '../declare.js';
import { EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';

export const CONTEXT = { context: shared.context };

export const APPLICATION_PASSWORD_FIELDS = writable({
  app_id: shared.text('UUID provided by the application.', { format: 'uuid' }),
  name: shared.text('Name of the application.', { minLength: 1, pattern: '.*\\S.*', required: true }),
});

export const APPLICATION_PASSWORD_SCHEMA = resourceSchema(
  'application-password',
  {
    uuid: shown('UUID of the password.', { format: 'uuid' }),
    ...APPLICATION_PASSWORD_FIELDS,
    password: shown('The password, which is returned only once.', {}),
    created: shown('Creation date, in UTC.', { format: 'date-time' }),
    last_used: shown('Date of the last use, in UTC.', { type: ['string', 'null'], format: 'date-time' }),
    last_ip: shown('IP address of the last use.', { type: ['string', 'null'], format: 'ip' }),
  },
  { ...Object.fromEntries(['uuid', 'app_id', 'name'].map((name) => [name, EVERYWHERE])), password: EDIT_ONLY },
  NOT_EMBEDDED,
);
