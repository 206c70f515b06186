#!/usr/bin/env node
import { load } from './load.js';

const { main } = await load();
main(process.argv.slice(2));
