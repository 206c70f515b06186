/** Everything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** @throws SyntaxError */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** A value that holds nothing but JSON. Its type need not say so: interfaces have no index, which TypeScript asks for. */
export const asJson = (value: object): Json => value as Json;

/** The same of an object. */
export const asJsonObject = (value: object): { [key: string]: Json } => value as { [key: string]: Json };
