import { postId } from './validators.js';
import type { ArgsOf } from './contract.js';
import type { ById } from '../params.js';

/** Parameters of the by-id routes of venues and organizers. TEC: an id that does not fit is a bad parameter, not a missing page. */
export const linkedIdArgs = (postType: string, noun: string): ArgsOf<ById> => ({
  id: { type: 'integer', required: true, description: `ID of the ${noun}.`, validate: postId(postType) },
});
