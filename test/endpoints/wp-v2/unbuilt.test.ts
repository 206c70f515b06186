import { startWorld, type Login, type Refusal } from '../../support/api.js';

/* Routes that are not implemented reject callers without permission like WordPress. */

const api = startWorld();

const CALLERS: readonly (Login | undefined)[] = ['admin', 'editor', 'subscriber', undefined];

const outcome = async (method: string, route: string, as: Login | undefined): Promise<string> => {
  const { status, body } = await api.call<Partial<Refusal>>(method, route, {
    ...(as && { as }),
    ...(method === 'GET' ? {} : { body: {} }),
  });
  return body.code === undefined ? String(status) : `${status} ${body.code}`;
};

const BUILT = '501 understudy_not_built';

/** Outcomes by caller: one who may edit the design, one who may write, one who may do neither, and an anonymous one. */
const design = (code: string): string[] => [BUILT, `403 ${code}`, `403 ${code}`, `401 ${code}`];
const write = (code: string): string[] => [BUILT, BUILT, `403 ${code}`, `401 ${code}`];
const all = (expected: string): string[] => CALLERS.map(() => expected);

test.each<[string, string, string[]]>([
  ['GET', '/wp/v2/templates', write('rest_cannot_manage_templates')],
  ['GET', '/wp/v2/templates/lookup?slug=home', write('rest_cannot_manage_templates')],
  ['DELETE', '/wp/v2/template-parts/theme//header', design('rest_cannot_manage_templates')],
  ['GET', '/wp/v2/templates/twentytwentyfive//index/revisions', all('404 rest_post_invalid_parent')],
  ['DELETE', '/wp/v2/templates/twentytwentyfive//index/revisions/9', all('404 rest_post_invalid_parent')],
  ['GET', '/wp/v2/template-parts/twentytwentyfive//header/autosaves/9', all('404 rest_post_invalid_parent')],
  ['POST', '/wp/v2/templates/twentytwentyfive//index/autosaves', design('rest_cannot_manage_templates')],
  ['GET', '/wp/v2/themes', design('rest_cannot_view_themes')],
  ['GET', '/wp/v2/themes?status=active', write('rest_cannot_view_active_theme')],
  ['GET', '/wp/v2/themes/twentytwentyfive', write('rest_cannot_view_active_theme')],
  ['GET', '/wp/v2/themes/twentytwentyfour', design('rest_cannot_view_themes')],
  ['GET', '/wp/v2/plugins', ['200', ...design('rest_cannot_view_plugins').slice(1)]],
  ['GET', '/wp/v2/plugins/hello', ['404 rest_plugin_not_found', ...design('rest_cannot_view_plugin').slice(1)]],
  ['POST', '/wp/v2/plugins/x', ['404 rest_plugin_not_found', ...design('rest_cannot_manage_plugins').slice(1)]],
  [
    'DELETE',
    '/wp/v2/plugins/the-events-calendar/the-events-calendar',
    ['400 rest_cannot_delete_active_plugin', ...design('rest_cannot_manage_plugins').slice(1)],
  ],
  ['GET', '/wp/v2/block-types', write('rest_block_type_cannot_view')],
  ['GET', '/wp/v2/block-patterns/patterns', write('rest_cannot_view')],
  ['GET', '/wp/v2/pattern-directory/patterns', write('rest_pattern_directory_cannot_view')],
  ['GET', '/wp/v2/block-directory/search?term=a', design('rest_block_directory_cannot_view')],
  ['GET', '/wp/v2/sidebars', design('rest_cannot_manage_widgets')],
  ['GET', '/wp/v2/widgets', design('rest_cannot_manage_widgets')],
  ['GET', '/wp/v2/widget-types', design('rest_cannot_manage_widgets')],
  ['GET', '/wp/v2/font-families', ['200', ...design('rest_cannot_read').slice(1)]],
  ['GET', '/wp/v2/font-families/7', all('404 rest_post_invalid_id')],
  ['GET', '/wp/v2/font-families/7/font-faces', all('404 rest_post_invalid_parent')],
  ['GET', '/wp/v2/font-collections', design('rest_cannot_read')],
  ['GET', '/wp/v2/global-styles/7', all('404 rest_global_styles_not_found')],
  ['GET', '/wp/v2/global-styles/7/8', all('400 rest_invalid_param')],
  ['GET', '/wp/v2/global-styles/dark', all('404 rest_no_route')],
  ['GET', '/wp/v2/view-config?kind=postType&name=wp_template', design('rest_cannot_read')],
  ['GET', '/wp/v2/global-styles/7/revisions', all('404 rest_post_invalid_parent')],
  ['GET', '/wp/v2/global-styles/themes/twentytwentyfive', write('rest_cannot_read_global_styles')],
  ['GET', '/wp-site-health/v1/tests/page-cache', ['200', ...design('rest_forbidden').slice(1)]],
  ['GET', '/wp-site-health/v1/directory-sizes', ['200', ...design('rest_forbidden').slice(1)]],
  ['GET', '/wp-block-editor/v1/export', design('rest_cannot_export_templates')],
  ['GET', '/wp-block-editor/v1/navigation-fallback', design('rest_cannot_create')],
  ['GET', '/wp-block-editor/v1/url-details', all('400 rest_missing_callback_param')],
  ['GET', '/wp-block-editor/v1/url-details?url=http://site.example', write('rest_cannot_view_url_details')],
  ['GET', '/tribe/views/v2/html', all('400 rest_missing_callback_param')],
  ['POST', '/tec/v2/onboarding/wizard', all('400 rest_missing_callback_param')],
])('%s %s: the response for each role', async (method, route, outcomes) => {
  expect(await Promise.all(CALLERS.map((as) => outcome(method, route, as)))).toEqual(outcomes);
});

type Schema = { title: string; properties: Record<string, Record<string, unknown>> } | undefined;

const schemaOf = async (route: string): Promise<Schema> => (await api.call<{ schema?: Schema }>('OPTIONS', route)).body.schema;

test.each([
  ['menu-items', 'nav_menu_item', 'object_id'],
  ['menu-items/7', 'nav_menu_item', 'invalid'],
  ['templates', 'wp_template', 'has_theme_file'],
  ['template-parts', 'wp_template_part', 'area'],
  ['templates/twentytwentyfive//index/revisions', 'wp_template', 'parent'],
  ['templates/twentytwentyfive//index/autosaves/7', 'wp_template', 'parent'],
  ['template-parts/twentytwentyfive//header/revisions/7', 'wp_template_part', 'parent'],
  ['menu-items/7/autosaves', 'nav_menu_item-revision', 'preview_link'],
  ['themes', 'theme', 'theme_supports'],
  ['themes/twentytwentyfive', 'theme', 'default_template_part_areas'],
  ['font-families/7', 'wp_font_family', 'font_family_settings'],
  ['font-families/7/font-faces', 'wp_font_face', 'font_face_settings'],
  ['font-collections', 'font-collection', 'font_families'],
  ['block-types/core/paragraph', 'block-type', 'block_hooks'],
  ['block-renderer/core/latest-posts', 'rendered-block', 'rendered'],
  ['plugins', 'plugin', 'textdomain'],
  ['sidebars', 'sidebar', 'widgets'],
  ['widget-types', 'widget-type', 'is_multi'],
  ['widgets/x', 'widget', 'id_base'],
  ['block-directory/search', 'block-directory-item', 'humanized_updated'],
  ['pattern-directory/patterns', 'pattern-directory-item', 'viewport_width'],
  ['block-patterns/patterns', 'block-pattern', 'template_types'],
  ['block-patterns/categories', 'block-pattern-category', 'label'],
  ['menu-locations', 'menu-location', 'menu'],
  ['global-styles/7', 'wp_global_styles', 'settings'],
  ['global-styles/7/revisions', 'wp_global_styles-revision', 'parent'],
])('the schema of %s is of %s', async (route, title, property) => {
  const schema = await schemaOf(`/wp/v2/${route}`);
  expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object' });
  expect(schema?.properties).toHaveProperty(property);
});

test.each<[route: string, admin: string | null, visitor: string | null]>([
  ['themes', 'GET', null],
  ['themes/twentytwentyfive', 'GET', null],
  ['templates/twentytwentyfive//index', 'GET, POST, PUT, PATCH, DELETE', null],
  ['templates/twentytwentyfive//index/revisions', null, null],
  ['templates/twentytwentyfive//index/autosaves', 'POST', null],
  ['menu-items', 'GET, POST', null],
  ['menu-items/7/autosaves', null, null],
])('%s may be used by an administrator and a visitor with %s, %s', async (route, ...methods) => {
  const callers = [{ as: 'admin' } as const, {}];
  const answers = await Promise.all(callers.map((caller) => api.call('OPTIONS', `/wp/v2/${route}`, caller)));
  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual(methods.map((allowed) => [200, allowed]));
});

test.each([
  ['/wp-block-editor/v1/url-details', 'url-details'],
  ['/wp-block-editor/v1/navigation-fallback', 'navigation-fallback'],
  ['/wp-block-editor/v1/export', undefined],
  ['/wp-site-health/v1/tests/https-status', 'wp-site-health-test'],
  ['/wp-site-health/v1/tests/page-cache', undefined],
  ['/wp/v2/templates/lookup', undefined],
  ['/wp/v2/global-styles/themes/x', undefined],
])('the schema of %s: %s', async (route, title) => {
  expect((await schemaOf(route))?.title).toBe(title);
});

test('schemas have what WordPress requires, and its defaults', async () => {
  const user = await schemaOf('/wp/v2/users');
  const required = Object.entries(user?.properties ?? {}).flatMap(([name, property]) => (property.required === true ? [name] : []));
  expect(required).toEqual(['username', 'email', 'password']);
  expect(user?.properties.avatar_urls).toMatchObject({ properties: { 24: { type: 'string', format: 'uri' }, 96: {} } });
  expect((await schemaOf('/wp/v2/tags'))?.properties.name).toMatchObject({ required: true });
  expect((await schemaOf('/wp/v2/settings'))?.properties).toMatchObject({
    title: { default: null },
    site_icon: { default: null },
    use_smilies: { default: true },
  });
  expect((await schemaOf('/wp/v2/templates'))?.properties.status.enum).toContain('publish');
  // Without the fields of pages.
  for (const field of ['permalink_template', 'generated_slug', 'class_list'])
    expect((await schemaOf('/wp/v2/tec_calendar_embed'))?.properties).not.toHaveProperty(field);
});

test('the indexes of all namespaces are there for anybody', async () => {
  const { body } = await api.get<{ namespaces: string[] }>('/');
  expect(body.namespaces).toEqual([
    'oembed/1.0',
    'tribe/event-aggregator/v1',
    'calendar/events/v1',
    'tribe/events/v1',
    'tribe/views/v2',
    'tec/v2/onboarding',
    'tec/v1',
    'wp/v2',
    'wp-site-health/v1',
    'wp-block-editor/v1',
    'wp-abilities/v1',
  ]);
  const statuses = await Promise.all(body.namespaces.map(async (name) => (await api.get(`/${name}`)).status));
  expect(statuses).toEqual(body.namespaces.map(() => 200));
});
