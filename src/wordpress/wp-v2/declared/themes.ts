import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { get, route } from '../declare.js';
import { THEME, THEMES } from './access.js';
import { STYLESHEET_PATTERN } from './site-editor.js';

const THEME_STATUSES = shared.list('Only results with these statuses.', { enum: ['active', 'inactive'], type: 'string' });

export const themeRoutes = (): Route[] => [
  route('/themes', get({ status: THEME_STATUSES }, THEMES)),
  route(`/themes/(?P<stylesheet>${STYLESHEET_PATTERN})`, get({ stylesheet: shared.text('Directory name of the theme.') }, THEME)),
];
