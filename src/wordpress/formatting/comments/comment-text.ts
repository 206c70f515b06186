import { autop } from '../autop.js';
import { balanceTags } from './balance-tags.js';
import { makeClickable } from './clickable.js';
import { convertSmilies } from '../smilies.js';
import { texturize } from '../texturize.js';

const LOOSE_AMPERSAND = /&(?!#(?:\d+|x[\da-f]+);|[a-z][a-z\d]*;)/gi;

/** The text of a comment as it is shown. WP: comments have no blocks and shortcodes. */
export const renderComment = (content: string, siteUrl: string): string =>
  autop(balanceTags(convertSmilies(texturize(makeClickable(content, siteUrl)).replace(LOOSE_AMPERSAND, '&#038;'), siteUrl)));
