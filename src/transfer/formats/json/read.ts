import { opener } from '../dataset/file.js';

export const openJson = opener('json');
