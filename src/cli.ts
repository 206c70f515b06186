#!/usr/bin/env node
import { load, optimizeLater } from './load.js';

optimizeLater();
const { main } = await load();
main(process.argv.slice(2));
