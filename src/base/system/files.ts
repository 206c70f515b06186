import { readFileSync } from 'node:fs';

/** The JSON of a file that this project writes or ships: the caller knows its form. @throws for a missing or broken file */
export const readJson = <Form>(file: string | URL): Form => JSON.parse(readFileSync(file, 'utf8')) as Form;
