import type { Arg } from '../../../wordpress/rest/route.js';

type Kind<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [number]
    ? 'integer' | 'number'
    : [Value] extends [string]
      ? 'string'
      : never;

type OfKind<Value> = Omit<Arg, 'type' | 'required'> & { type?: Kind<NonNullable<Value>> };

/** An optional argument. Its type is declared, or left to its check. */
type ArgOf<Value> = OfKind<Value> & { required?: false };

export type TextArg = ArgOf<string>;

/** The table that declares exactly the parameters of a type: the same names, matching kinds, and the same required parameters. */
export type ArgsOf<Params> = {
  [Name in keyof Params]-?: undefined extends Params[Name] ? ArgOf<Params[Name]> : OfKind<Params[Name]> & { required: true };
};
