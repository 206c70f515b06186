import { toStr } from '../../../base/php/cast.js';
import { RestError } from '../../../wordpress/rest/route.js';
import { eachKind, type LinkedKind } from '../model/event.js';

/** The errors of one kind of post, whose codes and messages differ only in the noun (TEC). */
export interface Messages {
  pageNotFound: { code: string; message: string };
  notAccessible: () => RestError;
  alreadyTrashed: () => RestError;
  couldNotCreate: () => RestError;
  couldNotUpdate: () => RestError;
}

const refusal = (code: string, message: string, status: number) => (): RestError => new RestError(code, message, status);

const messagesFor = (noun: 'event' | LinkedKind, updateStatus: number): Messages => ({
  pageNotFound: { code: `${noun}-archive-page-not-found`, message: `The requested ${noun} archive page does not exist` },
  notAccessible: refusal(`${noun}-not-accessible`, `The requested ${noun} is not accessible`, 403),
  alreadyTrashed: refusal(`${noun}-is-in-trash`, `The ${noun} is already trashed`, 410),
  couldNotCreate: refusal(`could-not-create-${noun}`, `The ${noun} could not be created from the provided data`, 400),
  couldNotUpdate: refusal(`could-not-update-${noun}`, `The ${noun} could not be updated`, updateStatus),
});

export const EVENT_MESSAGES = messagesFor('event', 403);
export const LINKED_MESSAGES = eachKind((kind) => messagesFor(kind, 400));

export const eventNotFound = (id: number): RestError =>
  new RestError('rest-event-not-found', `Event with ID ${toStr(id)} does not exist.`, 404);
export const invalidEventId = refusal('rest-invalid-event-id', 'The specified ID is not a valid event.', 400);
export const eventNoLongerAvailable = refusal('event-no-longer-available', 'This event is no longer available', 403);
export const eventPasswordProtected = refusal('event-password-protected', 'The requested event is not accessible without a password', 403);
