import { writer } from '../dataset/output.js';

export const writeYaml = writer('yaml');
