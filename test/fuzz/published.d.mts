import type { SchemaName } from '../../src/calendar-v1/doc/definitions.js';

/** Names of the members that an answer of this kind is checked for. */
export function publishedMembers(name: SchemaName): string[];

/** Names of the members that an answer of `tec/v1` is checked for. */
export function newerMembers(kind: 'events' | 'venues' | 'organizers', context: 'view' | 'edit' | 'embed'): string[];
