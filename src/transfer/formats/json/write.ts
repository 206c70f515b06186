import { writer } from '../dataset/output.js';

export const writeJson = writer('json');
