import { writer } from '../dataset/output.js';

export const write = writer('json');
