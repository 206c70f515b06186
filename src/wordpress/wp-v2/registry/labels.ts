import type { PostType } from '../../types/post-type.js';

/** Labels of WordPress's administration, by key; null if a kind has none. */
export type Labels = Record<string, string | null>;

/** The label of the list of all posts of a type. */
export const allItemsLabel = ({ label, allItems = label }: Pick<PostType, 'label' | 'allItems'>): string => allItems;

export function typeLabels(type: PostType): Labels {
  const { label: many, singular: one, hierarchical = false } = type;
  const [several, single] = [many.toLowerCase(), one.toLowerCase()];
  return {
    name: many,
    singular_name: one,
    add_new: 'Add',
    add_new_item: `Add ${one}`,
    edit_item: `Edit ${one}`,
    new_item: `New ${one}`,
    view_item: `View ${one}`,
    view_items: `View ${many}`,
    search_items: `Search ${many}`,
    not_found: `No ${several} found.`,
    not_found_in_trash: `No ${several} found in Trash.`,
    parent_item_colon: hierarchical ? `Parent ${one}:` : null,
    all_items: allItemsLabel(type),
    archives: `${one} Archives`,
    attributes: `${one} Attributes`,
    insert_into_item: `Insert into ${single}`,
    uploaded_to_this_item: `Uploaded to this ${single}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter ${several} list`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `${many} list navigation`,
    items_list: `${many} list`,
    item_published: `${one} published.`,
    item_published_privately: `${one} published privately.`,
    item_reverted_to_draft: `${one} reverted to draft.`,
    item_trashed: `${one} trashed.`,
    item_scheduled: `${one} scheduled.`,
    item_updated: `${one} updated.`,
    item_link: `${one} Link`,
    item_link_description: `A link to a ${single}.`,
    menu_name: many,
    name_admin_bar: one,
  };
}

/** Labels of a taxonomy. WP: hierarchical ones have labels for parents, others for lists of names. */
export function taxonomyLabels(many: string, one: string, hierarchical: boolean): Labels {
  const several = many.toLowerCase();
  const inTree = (label: string): string | null => (hierarchical ? label : null);
  const inRow = (label: string): string | null => (hierarchical ? null : label);
  return {
    name: many,
    singular_name: one,
    search_items: `Search ${many}`,
    popular_items: inRow(`Popular ${many}`),
    all_items: `All ${many}`,
    parent_item: inTree(`Parent ${one}`),
    parent_item_colon: inTree(`Parent ${one}:`),
    name_field_description: 'The name is how it appears on your site',
    slug_field_description: 'The form of the name in addresses: small letters, digits and hyphens.',
    parent_field_description: inTree('Terms in a tree may have a term above them.'),
    desc_field_description: 'Some themes show the description.',
    edit_item: `Edit ${one}`,
    view_item: `View ${one}`,
    update_item: `Update ${one}`,
    add_new_item: `Add ${one}`,
    new_item_name: `New ${one} Name`,
    separate_items_with_commas: inRow(`Separate ${several} with commas`),
    add_or_remove_items: inRow(`Add or remove ${several}`),
    choose_from_most_used: inRow(`Choose from the most used ${several}`),
    not_found: `No ${several} found.`,
    no_terms: `No ${several}`,
    filter_by_item: inTree(`Filter by ${one.toLowerCase()}`),
    items_list_navigation: `${many} list navigation`,
    items_list: `${many} list`,
    most_used: 'Most Used',
    back_to_items: `Back to ${many}`,
    item_link: `${one} Link`,
    item_link_description: `A link to a ${one.toLowerCase()}.`,
    menu_name: many,
    name_admin_bar: one,
    archives: `All ${many}`,
    template_name: `${one} Archives`,
  };
}
