import type { SchemaName } from '../../src/plugins/the-events-calendar/calendar-v1/doc/definitions.js';

/** Names of the checked members in responses of this type. */
export function publishedMembers(name: SchemaName): string[];

/** Names of the checked members in `tec/v1` responses. */
export function newerMembers(kind: 'events' | 'venues' | 'organizers', context: 'view' | 'edit' | 'embed'): string[];
