import { opener } from '../dataset/file.js';

export const open = opener('yaml');
