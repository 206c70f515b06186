import { ORGANIZER_RESOURCE } from './organizers.js';
import { VENUES } from './venues.js';
import type { LinkedKind } from '../../model/event.js';
import type { LinkedResource } from './resource.js';

export const LINKED_RESOURCES: Record<LinkedKind, LinkedResource> = { venue: VENUES, organizer: ORGANIZER_RESOURCE };
