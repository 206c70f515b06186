import type { Quirk } from '../quirks.js';

/**
 * Differences of older releases of WordPress. `off` is the behavior of the newest one. A row holds for the releases of its range: from
 * `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const RELEASE_QUIRKS = {
  'term-words-list-all': {
    kind: 'interface',
    until: '6.9',
    off: 'An `include` of terms that contains only words matches nothing.',
    on: 'It has no effect: all terms are listed.',
  },
  'no-abilities': {
    kind: 'interface',
    until: '6.9',
    off: 'There is the namespace `wp-abilities/v1`.',
    on: 'It does not exist.',
  },
  'global-styles-by-name': {
    kind: 'interface',
    until: '6.9',
    off: 'IDs of global styles are numbers: names result in `rest_no_route`.',
    on: 'They are texts: names result in `rest_global_styles_not_found`.',
  },
  'no-icons': {
    kind: 'interface',
    until: '7.0',
    off: 'There are the routes of `wp/v2/icons`.',
    on: 'They do not exist.',
  },
  'no-icon-collections': {
    kind: 'interface',
    until: '7.1',
    off: 'Icons are in collections, which have routes and select icons.',
    on: 'There are no collections.',
  },
  'no-view-config': {
    kind: 'interface',
    until: '7.1',
    off: 'There is the route `wp/v2/view-config`.',
    on: 'It does not exist.',
  },
  'no-user-info-ability': {
    kind: 'interface',
    until: '7.1',
    off: '`core/get-user-info` is an ability of the REST API.',
    on: 'It is not.',
  },
  'no-public-abilities': {
    kind: 'interface',
    until: '7.1',
    off: 'The meta of an ability says whether it is public.',
    on: 'It does not.',
  },
  'untitled-ability-results': {
    kind: 'interface',
    until: '7.1',
    off: 'The fields in results of abilities have titles.',
    on: 'They have none.',
  },
  'abilities-by-category-only': {
    kind: 'interface',
    until: '7.1',
    off: 'Lists of abilities can be filtered by `namespace` and `meta`.',
    on: 'These parameters have no effect.',
  },
  'environment-takes-no-input': {
    kind: 'interface',
    until: '7.1',
    off: '`core/get-environment-info` accepts `fields`.',
    on: 'It accepts no input.',
  },
  'ability-input-as-sent': {
    kind: 'interface',
    until: '7.1',
    off: 'Abilities accept `fields` separated by commas.',
    on: 'The result of these is empty.',
  },
  // Comments and notes.
  'no-notes': {
    kind: 'interface',
    until: '6.9',
    off: 'A comment of type `note` is a note on a post or page, for those who may edit that post; `meta` of all comments has its `_wp_note_status`.',
    on: 'Comments have no other types and no meta; a stored note is an ordinary comment.',
  },
  'no-note-mentions': {
    kind: 'interface',
    until: '7.1',
    off: 'Comments by users without `unfiltered_html` keep `<span class="wp-note-mention user-3">`.',
    on: 'They lose it.',
  },
  'zero-is-no-comment': {
    kind: 'interface',
    until: '6.9',
    off: 'A comment can be changed to `0`.',
    on: 'It counts as empty and is rejected.',
  },
  'comments-move-anywhere': {
    kind: 'hole',
    since: '6.9',
    until: '7.1',
    off: 'Who may not edit a post may not move a comment to it (403), and notes move only to where they could be created.',
    on: 'Who may edit a comment may move it to any post.',
  },
  // Posts.
  'authors-make-sticky': {
    kind: 'hole',
    since: '6.9',
    until: '7.1',
    off: 'Sticky posts require the rights to publish and to edit the posts of others (403).',
    on: 'The right to publish is enough.',
  },
  // Application passwords and batches.
  'app-ids-are-uuids': {
    kind: 'interface',
    until: '6.9',
    off: 'The `app_id` of an application password may be empty.',
    on: 'It must be a UUID (400).',
  },
  'batches-break-on-bad-paths': {
    kind: 'interface',
    until: '6.9',
    off: 'In a batch, a path that cannot be parsed is one failed request.',
    on: 'It breaks the batch (500).',
  },

  // Media.
  'media-filters-take-one-type': {
    kind: 'interface',
    until: '6.9',
    off: '`media_type` and `mime_type` of media lists take several types, and files of any of them match.',
    on: 'They take one type each, and `mime_type` overrides `media_type`.',
  },
  'no-links-from-media-to-parents': {
    kind: 'interface',
    until: '6.9',
    off: 'Attachments have the link `wp:attached-to` to the post that they are attached to.',
    on: 'They have no such link.',
  },
  'edited-images-take-no-fields': {
    kind: 'interface',
    until: '6.9',
    off: 'Edits of images have arguments for the title, caption, description, alternative text and post of the new image.',
    on: 'They have none: the new image has the texts of the original.',
  },
  'no-flips-of-images': {
    kind: 'interface',
    until: '6.9',
    off: 'Images can be flipped.',
    on: 'They can only be rotated and cropped.',
  },
  'no-file-names-of-media': {
    kind: 'interface',
    until: '7.0',
    off: 'Attachments have `filename`, `filesize` and, when images are edited, `exif_orientation`.',
    on: 'They have none of the three.',
  },
  'no-alternative-texts-in-images': {
    kind: 'interface',
    until: '7.0',
    off: 'The alternative text in an uploaded image becomes `alt_text`, and `image_meta` has it as `alt`.',
    on: 'It is not read.',
  },
  'links-to-hidden-images': {
    kind: 'interface',
    until: '7.0',
    off: 'Posts link to their featured image if the caller may read it.',
    on: 'They link to it in any case.',
  },
  'whole-fields-of-revisions': {
    kind: 'interface',
    until: '7.0',
    off: '`_fields` selects parts of fields of revisions, such as `title.rendered`.',
    on: 'It selects whole fields only: a name with a dot selects nothing.',
  },
  'no-encoding-of-images': {
    kind: 'interface',
    until: '7.1',
    off: 'Images in the edit context have `image_output_format`, `image_save_progressive` and `image_quality`.',
    on: 'They have none of the three.',
  },
  'uploads-are-files': {
    kind: 'interface',
    until: '7.1',
    off: 'An upload may name an image by `url`, and `generate_sub_sizes` says whether smaller sizes are made.',
    on: 'It contains a file, and smaller sizes are made.',
  },
  'no-sizes-made-by-clients': {
    kind: 'interface',
    until: '7.1',
    off: 'Over https, and under `localhost`, clients may upload the smaller sizes of an image: `sideload` and `finalize`.',
    on: 'There are no such routes.',
  },

  // Rendered blocks and shortcodes.
  'players-have-scripts': {
    kind: 'interface',
    until: '6.9',
    off: 'The players of `[audio]` and `[video]` have no scripts.',
    on: 'Before the first player of a kind is a comment with a script for old browsers.',
  },
  'paragraphs-have-no-class': {
    kind: 'interface',
    until: '7.0',
    off: 'The first `<p>` of a paragraph block has the class `wp-block-paragraph`.',
    on: 'Paragraph blocks are shown as they are stored.',
  },
  'gaps-of-the-theme-are-ignored': {
    kind: 'interface',
    until: '7.0',
    off: 'The class of a container (`wp-container-…`) is derived from the gap that the theme has for the block.',
    on: 'It is derived from the gap of the block without a theme.',
  },
  'hidden-blocks-are-shown': {
    kind: 'interface',
    until: '6.9',
    off: 'Blocks that are hidden in the editor (`blockVisibility`) are left out.',
    on: 'They are shown.',
  },
  'blocks-are-shown-at-all-widths': {
    kind: 'interface',
    until: '7.0',
    off: 'Blocks that are hidden on small or large screens have a class for it, such as `wp-block-hidden-mobile`.',
    on: 'They have none.',
  },
  'css-of-blocks-is-ignored': {
    kind: 'interface',
    until: '7.0',
    off: 'Blocks with CSS have the class `has-custom-css` and one for the CSS. Authors without unfiltered HTML cannot add any.',
    on: 'The CSS of a block is an attribute without effect.',
  },
  'latest-posts-have-no-layout': {
    kind: 'interface',
    until: '7.1',
    off: 'The list of the newest posts has the classes of a layout.',
    on: 'It has none.',
  },

  // Texts of users without unfiltered HTML, and slugs.
  'newer-elements-are-removed': {
    kind: 'interface',
    until: '6.9',
    off: 'HTML keeps `time`, `wbr`, `data`, `meter`, `progress`, `search`, `dialog`, MathML and popovers.',
    on: 'They are removed.',
  },
  'attributes-stay-as-written': {
    kind: 'interface',
    until: '7.0',
    off: 'Attributes in HTML are stored as `name="value"`, in lower case.',
    on: 'Quotes, entities and letters of attributes are stored as they are sent.',
  },
  'display-is-removed': {
    kind: 'interface',
    until: '7.0',
    off: 'The CSS property `display` may be set.',
    on: 'It is removed.',
  },
  'commands-are-removed': {
    kind: 'interface',
    until: '7.1',
    off: 'Buttons keep `command` and `commandfor`, and elements `tabindex`.',
    on: 'These attributes are removed.',
  },
  'css-of-vector-images-is-removed': {
    kind: 'interface',
    until: '7.1',
    off: 'CSS may set properties of vector images such as `fill`, transform, and contain all gradients.',
    on: 'These declarations are removed.',
  },
  'hyphens-stay-in-slugs': {
    kind: 'interface',
    until: '6.9',
    off: 'A non-breaking hyphen (U+2011) in a slug becomes a hyphen.',
    on: 'It stays, encoded.',
  },

  // Pages.
  'embed-links-come-last': {
    kind: 'interface',
    until: '6.9',
    off: 'In the head of a page, the links for embeds (oEmbed) precede the links to the API.',
    on: 'They follow the shortlink.',
  },
  'unknown-sitemaps-are-the-front-page': {
    kind: 'interface',
    until: '7.1',
    off: 'A sitemap of an unknown kind, such as `/wp-sitemap-foo-1.xml`, is not found.',
    on: 'Its URL shows the front page.',
  },
  'icons-are-blue': {
    kind: 'interface',
    until: '7.1',
    off: '`/favicon.ico` leads to `w-logo-gray-white-bg.png`.',
    on: 'It leads to `w-logo-blue-white-bg.png`.',
  },
} as const satisfies Record<string, Quirk>;
