import { start } from './explorer.js';

void start(globalThis);
