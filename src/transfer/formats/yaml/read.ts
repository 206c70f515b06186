import { opener } from '../dataset/file.js';

export const openYaml = opener('yaml');
