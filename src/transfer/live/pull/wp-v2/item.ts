import type { Json } from '../../../../base/values/records.js';

/** An object of `wp/v2` or another namespace, with all members that a site shows. */
export interface CoreItem {
  [member: string]: Json | undefined;
  id: number;
}

/** An object with a text as it is stored and as it is shown. */
interface Text {
  raw?: string;
  rendered?: string;
  protected?: boolean;
}

/** A text member of an item. WP: some are objects, and an empty object is a list. */
export const textOf = (item: CoreItem, name: string): Text => {
  const value: unknown = item[name];
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
};

export const stringOf = (item: CoreItem, name: string): string => {
  const value = item[name];
  return typeof value === 'string' ? value : '';
};

export const numberOf = (item: CoreItem, name: string): number => {
  const value = item[name];
  return typeof value === 'number' ? value : 0;
};

/** Ids of posts or terms. */
export const idsOf = (item: CoreItem, name: string): number[] => {
  const value = item[name];
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];
};

/** A member that is an object. */
export const recordOf = (item: CoreItem, name: string): Record<string, Json> => {
  const value = item[name];
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
};

export const dateOf = (item: CoreItem, name: string): string => stringOf(item, name).replace('T', ' ');
