import { RestError } from '../../../wordpress/rest/error.js';
import type { Json } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';

/** TEC: some errors have no code, only a message. */
class EntityError extends RestError {
  constructor(message: string, status: number) {
    super('tec_rest_entity', message, status);
  }

  override body(): Json {
    return { error: this.message };
  }
}

/** TEC: the error of a page beyond the last has no data, and the same code in every list. */
class PageError extends RestError {
  override body(): Json {
    return { code: this.code, message: this.message };
  }
}

export const pageNotFound = (): RestError => new PageError('tec_rest_organizers_page_not_found', 'The requested page was not found.', 404);

export const notReadable = (): RestError => new EntityError('The entity could not be read.', 404);

export const notUpdatable = (): RestError => new EntityError('The entity could not be updated.', 404);

export const notDeletable = (): RestError => new EntityError('The entity could not be deleted.', 404);

export const alreadyTrashed = (): RestError => new EntityError('The entity has already been trashed.', 410);

/** The item cannot be stored. TEC: a server error. */
export const notStored = (verb: 'create' | 'update', { quirks }: Site): RestError =>
  new EntityError(`Failed to ${verb} entity.`, quirks.has('bad-input-is-server-error') ? 500 : 400);

const NOT_ACKNOWLEDGED = 'missing_experimental_endpoint_acknowledgement';

export const acknowledgementRefusal = (isGiven: boolean): RestError =>
  new RestError(NOT_ACKNOWLEDGED, `Experimental endpoint requires ${isGiven ? 'appropriate ' : ''}acknowledgement header.`, 400);
