import type { RestResponse } from '../../rest/response.js';
import type { Answers, Operation } from '../declare.js';
import { listResponse } from '../../rest/lists.js';

/** The list of comments, which is what links of attachments embed. This server takes no comments, so nothing is ever in it. */
export const commentAnswers = (): Answers<Operation> => ({
  list: {
    permission: 'public',
    handler: (context): RestResponse => listResponse(context, '/wp/v2/comments', { items: [], total: 0, pages: 0, page: 1 }),
  },
});
