import { start } from './app.js';

void start(globalThis);
